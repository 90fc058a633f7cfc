import { expect, test } from "vitest";
import { edgePath, layout, NODE } from "./saga-layout";
import type { GraphNode } from "./types";

const node = (id: string, direction: GraphNode["direction"] = "FORWARD"): GraphNode => ({ id, step: id.replace("undo-", ""), direction, status: "DONE" });

test("steps stand from left to right in one row", () => {
  const picture = layout([node("a"), node("b"), node("c")], [{ from: "a", to: "b" }, { from: "b", to: "c" }]);

  expect(picture.nodes.map((one) => one.x)).toEqual([0, 1, 2].map((at) => NODE.pad + at * (NODE.width + NODE.gapX)));
  expect(new Set(picture.nodes.map((one) => one.y)).size).toBe(1);
});

test("parallel steps share a column", () => {
  const picture = layout([node("a"), node("b"), node("c")], [{ from: "a", to: "b" }, { from: "a", to: "c" }]);

  expect(picture.nodes[1]!.x).toBe(picture.nodes[2]!.x);
  expect(picture.nodes[1]!.y).not.toBe(picture.nodes[2]!.y);
});

test("a compensation stands below the step it undoes", () => {
  const picture = layout([node("a"), node("b"), node("undo-a", "BACK")], [{ from: "a", to: "b" }, { from: "b", to: "undo-a" }]);
  const [a, , undo] = picture.nodes;

  expect(undo!.x).toBe(a!.x);
  expect(undo!.y).toBeGreaterThan(a!.y);
  expect(picture.edges[1]!.back).toBe(true);
});

test("a cycle and an unknown end do not hang or draw", () => {
  const picture = layout([node("a"), node("b")], [{ from: "a", to: "b" }, { from: "b", to: "a" }, { from: "a", to: "gone" }]);

  expect(picture.edges).toHaveLength(2);
});

test("an edge within a row is a straight line", () => {
  const picture = layout([node("a"), node("b")], [{ from: "a", to: "b" }]);

  expect(edgePath(picture.edges[0]!)).toMatch(/^M\d+ \d+H\d+$/);
});
