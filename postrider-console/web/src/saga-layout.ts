import type { GraphNode } from "./types";

export interface PlacedNode extends GraphNode {
  x: number;
  y: number;
}

export interface PlacedEdge {
  from: PlacedNode;
  to: PlacedNode;
  back: boolean;
}

export interface SagaPicture {
  nodes: PlacedNode[];
  edges: PlacedEdge[];
  width: number;
  height: number;
}

export const NODE = { width: 152, height: 48, gapX: 40, gapY: 36, pad: 8 };

/** Puts a saga's steps from left to right; compensations stand in the row below, under the step they undo. */
export function layout(nodes: GraphNode[], edges: { from: string; to: string }[]): SagaPicture {
  const forward = nodes.filter((node) => node.direction === "FORWARD");
  const back = nodes.filter((node) => node.direction === "BACK");
  const column = columns(forward, edges);
  const rows = new Map<number, number>();
  const placed = new Map<string, PlacedNode>();
  const put = (node: GraphNode, columnAt: number, row: number) =>
    placed.set(node.id, {
      ...node,
      x: NODE.pad + columnAt * (NODE.width + NODE.gapX),
      y: NODE.pad + row * (NODE.height + NODE.gapY),
    });
  for (const node of forward) {
    const at = column.get(node.id) ?? 0;
    const row = rows.get(at) ?? 0;
    rows.set(at, row + 1);
    put(node, at, row);
  }
  const firstBackRow = Math.max(1, ...rows.values());
  const taken = new Set<string>();
  back.forEach((node, index) => {
    const twin = forward.find((one) => one.step === node.step);
    const at = (twin && column.get(twin.id)) ?? Math.max(0, forward.length - 1 - index);
    let row = firstBackRow;
    while (taken.has(`${at}/${row}`)) row++;
    taken.add(`${at}/${row}`);
    put(node, at, row);
  });
  const all = [...placed.values()];
  return {
    nodes: all,
    edges: edges.flatMap(({ from, to }) => {
      const a = placed.get(from);
      const b = placed.get(to);
      return a && b ? [{ from: a, to: b, back: b.direction === "BACK" }] : [];
    }),
    width: Math.max(0, ...all.map((node) => node.x)) + NODE.width + NODE.pad,
    height: Math.max(0, ...all.map((node) => node.y)) + NODE.height + NODE.pad,
  };
}

/** The length of the longest way to each node; a cycle ends after as many rounds as there are nodes. */
function columns(nodes: GraphNode[], edges: { from: string; to: string }[]): Map<string, number> {
  const known = new Map(nodes.map((node) => [node.id, 0]));
  for (let round = 0; round < nodes.length; round++) {
    let moved = false;
    for (const { from, to } of edges) {
      const a = known.get(from);
      const b = known.get(to);
      if (a !== undefined && b !== undefined && b < a + 1 && a + 1 < nodes.length) {
        known.set(to, a + 1);
        moved = true;
      }
    }
    if (!moved) break;
  }
  return known;
}

/** The path of an edge: straight within a row, a bend between rows. */
export function edgePath({ from, to }: PlacedEdge): string {
  const midY = (node: PlacedNode) => node.y + NODE.height / 2;
  if (from.y === to.y) {
    return from.x < to.x
      ? `M${from.x + NODE.width} ${midY(from)}H${to.x}`
      : `M${from.x} ${midY(from)}H${to.x + NODE.width}`;
  }
  const x1 = from.x + NODE.width / 2;
  const x2 = to.x + NODE.width / 2;
  if (x1 === x2) return `M${x1} ${from.y + NODE.height}V${to.y}`;
  const start = from.x + NODE.width;
  const middle = start + NODE.gapX / 2;
  return `M${start} ${midY(from)}H${middle}V${midY(to)}H${to.x > from.x ? to.x : to.x + NODE.width}`;
}
