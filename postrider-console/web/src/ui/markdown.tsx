import type { ComponentChildren } from "preact";

/** The little Markdown of our runbooks as elements: headings, paragraphs, lists, code. Never HTML. */
export function Markdown({ text }: { text: string }) {
  return <div class="markdown">{blocksOf(text).map((block, at) => rendered(block, at))}</div>;
}

export interface Block {
  kind: "heading" | "paragraph" | "list" | "code";
  lines: string[];
}

/** Splits Markdown into blocks. */
export function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let code: Block | undefined;
  for (const line of text.split("\n")) {
    const last = blocks.at(-1);
    if (line.startsWith("```")) {
      if (code) code = undefined;
      else blocks.push((code = { kind: "code", lines: [] }));
    } else if (code) code.lines.push(line);
    else if (/^#{1,6} /.test(line)) blocks.push({ kind: "heading", lines: [line.replace(/^#+ /, "")] });
    else if (/^\s*([-*]|\d+\.) /.test(line)) {
      const item = line.replace(/^\s*([-*]|\d+\.) /, "");
      if (last?.kind === "list") last.lines.push(item);
      else blocks.push({ kind: "list", lines: [item] });
    } else if (line.trim() === "") blocks.push({ kind: "paragraph", lines: [] });
    else if (last?.kind === "list") last.lines[last.lines.length - 1] += ` ${line.trim()}`;
    else if (last?.kind === "paragraph") last.lines.push(line);
    else blocks.push({ kind: "paragraph", lines: [line] });
  }
  return blocks.filter((block) => block.lines.length > 0);
}

function rendered(block: Block, key: number): ComponentChildren {
  switch (block.kind) {
    case "heading":
      return (
        <p key={key}>
          <strong>{inline(block.lines[0]!)}</strong>
        </p>
      );
    case "code":
      return (
        <pre key={key} tabIndex={0}>
          {block.lines.join("\n")}
        </pre>
      );
    case "list":
      return (
        <ul key={key}>
          {block.lines.map((line, at) => (
            <li key={at}>{inline(line)}</li>
          ))}
        </ul>
      );
    case "paragraph":
      return <p key={key}>{inline(block.lines.join(" "))}</p>;
  }
}

/** Code and strong words; a link shows its text. */
function inline(text: string): ComponentChildren {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)]+\))/).map((part, at) => {
    if (/^`.+`$/.test(part)) return <code key={at}>{part.slice(1, -1)}</code>;
    if (/^\*\*.+\*\*$/.test(part)) return <strong key={at}>{part.slice(2, -2)}</strong>;
    const link = /^\[([^\]]+)\]\(/.exec(part);
    return link ? link[1] : part;
  });
}
