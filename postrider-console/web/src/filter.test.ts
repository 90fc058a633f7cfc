import { expect, test } from "vitest";
import { completions, filterOf, taken, terms, valueOf, withTerm } from "./filter";

const texts = (text: string, known = {}) => completions(text, text.length, known).map((one) => one.text);

test("a quoted value keeps its spaces and quotes", () => {
  expect(valueOf('failure:"a \\"b\\" c" key:1', "failure")).toBe('a "b" c');
});

test("an open quote ends with the text", () => {
  expect(terms('topic:a error:"time out')).toMatchObject([{ name: "topic", value: "a" }, { name: "error", value: "time out" }]);
});

test("an empty text offers the qualifiers", () => {
  expect(texts("").slice(0, 3)).toEqual(["status:", "topic:", "type:"]);
});

test("a used qualifier is not offered again", () => {
  expect(texts("status:dead ")).not.toContain("status:");
});

test("the first letters narrow the qualifiers", () => {
  expect(texts("st")).toEqual(["status:"]);
});

test("values of status are offered", () => {
  expect(texts("status:de")).toEqual(["status:delivered", "status:dead"]);
});

test("known topics are offered and quoted where needed", () => {
  expect(texts("topic:", { topics: ["orders", "price list"] })).toEqual(["topic:orders", 'topic:"price list"']);
});

test("a complete value offers nothing", () => {
  expect(texts("status:dead")).toEqual([]);
});

test("completions of an unknown qualifier are empty", () => {
  expect(texts("toString:")).toEqual([]);
});

test("a completion replaces the term under the caret", () => {
  const text = "st key:1";
  const [first] = completions(text, 2);

  expect(taken(text, first!)).toEqual({ text: "status: key:1", caret: 7 });
});

test("a taken value is followed by a space", () => {
  const [first] = completions("status:dea", 10);

  expect(taken("status:dea", first!)).toEqual({ text: "status:dead ", caret: 12 });
});

test("a term is replaced or removed, the others stay as written", () => {
  expect(withTerm('failure:"x y" status:dead', "status", "pending")).toBe('failure:"x y" status:pending');
  expect(withTerm("a:1 status:dead", "status", undefined)).toBe("a:1");
});

test("filters of values quote what has spaces", () => {
  expect(filterOf({ status: "dead", failure: 'Ex "a"', key: undefined })).toBe('status:dead failure:"Ex \\"a\\""');
});
