import { expect, test } from "vitest";
import { ago, bytes, counted, dateTime, firstLine, rate, span, whole } from "./format";

test.each([
  [40, "40 ms"],
  [400, "0.4 s"],
  [59_000, "59 s"],
  [192_000, "3 m 12 s"],
  [180_000, "3 m"],
  [7_260_000, "2 h 1 m"],
  [187_200_000, "2 d 4 h"],
  [undefined, "–"],
])("a span of %s reads %s", (millis, text) => {
  expect(span(millis)).toBe(text);
});

test.each([
  [1500, "now"],
  [61_000, "1 m"],
  [3_600_000, "1 h"],
  [90_000_000, "1 d"],
])("%s ms ago reads %s", (millis, text) => {
  expect(ago(millis)).toBe(text);
});

test("numbers get a separator from 10,000 on", () => {
  expect([whole(9999), whole(10_000)]).toEqual(["9999", "10,000"]);
});

test("a capped count says so", () => {
  expect(counted({ value: 10_000, atLeast: true })).toBe("10,000+");
});

test("a small rate keeps one decimal", () => {
  expect([rate(0), rate(0.44), rate(1018.4), rate(undefined)]).toEqual(["0", "0.4", "1018", "–"]);
});

test("instants are shown in UTC with milliseconds", () => {
  expect(dateTime(Date.UTC(2026, 10, 19, 9, 5, 7, 42), "utc")).toBe("2026-11-19 09:05:07.042 UTC");
});

test("bytes and first lines", () => {
  expect([bytes(900), bytes(2048), firstLine("a\nb")]).toEqual(["900 B", "2 KB", "a"]);
});
