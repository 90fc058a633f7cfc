import { expect, test } from "vitest";
import { around, diff } from "./diff";

const shown = (before: string, after: string) => diff(before, after).map((l) => ({ same: " ", added: "+", removed: "-" })[l.kind] + l.text);

test("equal texts have no changed line", () => {
  expect(shown("a\nb", "a\nb")).toEqual([" a", " b"]);
});

test("a changed line is removed and added in place", () => {
  expect(shown("a\nb\nc", "a\nx\nc")).toEqual([" a", "-b", "+x", " c"]);
});

test("line numbers count in their own text", () => {
  const added = diff("a\nc", "a\nb\nc").find((line) => line.kind === "added");

  expect(added).toEqual({ kind: "added", text: "b", after: 2 });
});

test("texts too large to compare are one replacement", () => {
  const lines = diff(Array.from({ length: 2100 }, (_, i) => `a${i}`).join("\n"), Array.from({ length: 2100 }, (_, i) => `b${i}`).join("\n"));

  expect(lines.slice(0, 2100).every((line) => line.kind === "removed")).toBe(true);
  expect(lines).toHaveLength(4200);
});

test("distant equal lines fold into one gap", () => {
  const before = Array.from({ length: 30 }, (_, i) => String(i)).join("\n");

  const folded = around(diff(before, before.replace("15", "changed")), 1);

  expect(folded.map((line) => line?.text)).toEqual([undefined, "14", "15", "changed", "16", undefined]);
});
