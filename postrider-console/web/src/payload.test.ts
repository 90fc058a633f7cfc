import { expect, test } from "vitest";
import { hexRows, lookOf, prettyJson, tinted, tintJson, tintXml } from "./payload";

test("indenting keeps every digit of a number", () => {
  expect(prettyJson('{"id":9007199254740993,"price":1.10,"e":1E400}')).toBe('{\n  "id": 9007199254740993,\n  "price": 1.10,\n  "e": 1E400\n}');
});

test("indenting keeps empty objects and lists on one line", () => {
  expect(prettyJson('{"a":{},"b":[]}')).toBe('{\n  "a": {},\n  "b": []\n}');
});

test("repeated names and their order stay", () => {
  expect(prettyJson('{"b":1,"a":2,"b":3}')).toBe('{\n  "b": 1,\n  "a": 2,\n  "b": 3\n}');
});

test.each(['{"a":', "{a:1}", "plain", '{"a":"\n"}', ""])("text that is not JSON stays as it is: %j", (text) => {
  expect(prettyJson(text)).toBe(text);
});

test("tinting keeps every character of broken JSON", () => {
  const text = '{"a": "open, \\" <script> \u0000 1e,, nul';

  expect(tintJson(text).map((piece) => piece.text).join("")).toBe(text);
});

test("tinting keeps every character of XML", () => {
  const text = '<?xml version="1.0"?><a b="c"><!-- x -->text & "more"</a>';

  expect(tintXml(text).map((piece) => piece.text).join("")).toBe(text);
});

test("names differ from strings", () => {
  expect(tintJson('{"a" : "b"}').map((piece) => piece.kind)).toEqual(["mark", "name", "plain", "mark", "plain", "string", "mark"]);
});

test("lines are counted by their ends", () => {
  expect(tinted("a\n\nb", "text")).toHaveLength(3);
});

test("the content type decides the look, else the first character", () => {
  expect([lookOf("x", "application/json"), lookOf(" [1]"), lookOf("<a/>"), lookOf("hello")]).toEqual(["json", "json", "xml", "text"]);
});

test("a hex row has its offset, bytes and printable characters", () => {
  expect(hexRows(new Uint8Array([72, 105, 0]))).toEqual([{ offset: "00000000", hex: "48 69 00", text: "Hi·" }]);
});
