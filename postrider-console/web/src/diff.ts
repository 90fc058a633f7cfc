export interface DiffLine {
  kind: "same" | "added" | "removed";
  text: string;
  before?: number;
  after?: number;
}

const MOST_CELLS = 4_000_000;

/** The lines that were added and removed; texts too large to compare show as one replacement. */
export function diff(before: string, after: string): DiffLine[] {
  const a = before.split("\n");
  const b = after.split("\n");
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const lines: DiffLine[] = [];
  for (let i = 0; i < head; i++) lines.push({ kind: "same", text: a[i]!, before: i + 1, after: i + 1 });
  lines.push(...middle(a, b, head, a.length - tail, b.length - tail));
  for (let i = 0; i < tail; i++) {
    const at = a.length - tail + i;
    lines.push({ kind: "same", text: a[at]!, before: at + 1, after: b.length - tail + i + 1 });
  }
  return lines;
}

function middle(a: string[], b: string[], from: number, aEnd: number, bEnd: number): DiffLine[] {
  const rows = aEnd - from;
  const columns = bEnd - from;
  if (rows * columns > MOST_CELLS) return replaced(a, b, from, aEnd, bEnd);
  const width = columns + 1;
  const longest = new Uint32Array((rows + 1) * width);
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = columns - 1; j >= 0; j--) {
      longest[i * width + j] =
        a[from + i] === b[from + j]
          ? longest[(i + 1) * width + j + 1]! + 1
          : Math.max(longest[(i + 1) * width + j]!, longest[i * width + j + 1]!);
    }
  }
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < rows && j < columns) {
    if (a[from + i] === b[from + j]) {
      lines.push({ kind: "same", text: a[from + i]!, before: from + i + 1, after: from + j + 1 });
      i++;
      j++;
    } else if (longest[(i + 1) * width + j]! >= longest[i * width + j + 1]!) {
      lines.push({ kind: "removed", text: a[from + i]!, before: from + ++i });
    } else {
      lines.push({ kind: "added", text: b[from + j]!, after: from + ++j });
    }
  }
  lines.push(...replaced(a, b, from, aEnd, bEnd, i, j));
  return lines;
}

function replaced(a: string[], b: string[], from: number, aEnd: number, bEnd: number, i = 0, j = 0): DiffLine[] {
  const lines: DiffLine[] = [];
  for (let at = from + i; at < aEnd; at++) lines.push({ kind: "removed", text: a[at]!, before: at + 1 });
  for (let at = from + j; at < bEnd; at++) lines.push({ kind: "added", text: b[at]!, after: at + 1 });
  return lines;
}

/** Only the changed lines with some lines around them; a gap shows as undefined. */
export function around(lines: DiffLine[], context = 3): (DiffLine | undefined)[] {
  const near = lines.map((_, at) => lines.slice(Math.max(0, at - context), at + context + 1).some((line) => line.kind !== "same"));
  const out: (DiffLine | undefined)[] = [];
  lines.forEach((line, at) => {
    if (near[at]) out.push(line);
    else if (at === 0 || near[at - 1]) out.push(undefined);
  });
  return out;
}
