/** A piece of payload text with what it is, for its tint. Text stays text: nothing is ever parsed into a number. */
export interface Piece {
  kind: "plain" | "name" | "string" | "number" | "word" | "mark";
  text: string;
}

export type Look = "json" | "xml" | "text";
const MOST_TINTED = 200_000;

/** What the text looks like: its content type decides, else its first character. */
export function lookOf(text: string, contentType = ""): Look {
  if (/json/i.test(contentType)) return "json";
  if (/xml|html/i.test(contentType)) return "xml";
  const first = text.trimStart()[0];
  if (first === "{" || first === "[") return "json";
  return first === "<" ? "xml" : "text";
}

const JSON_TOKEN = /"(?:[^"\\\n]|\\.)*"(?=(\s*:)?)|-?\d[\d.eE+-]*|\b(?:true|false|null)\b|[{}[\],:]|[^\S\n]+|\n|[^\s"{}[\],:]+|"/g;

/** Splits JSON into tinted pieces by its marks alone; a broken text keeps every character. */
export function tintJson(text: string): Piece[] {
  if (text.length > MOST_TINTED) return [{ kind: "plain", text }];
  const pieces: Piece[] = [];
  for (const match of text.matchAll(JSON_TOKEN)) {
    const token = match[0];
    let kind: Piece["kind"] = "plain";
    if (token.length > 1 && token.startsWith('"')) kind = match[1] === undefined ? "string" : "name";
    else if (/^-?\d/.test(token)) kind = "number";
    else if (/^(true|false|null)$/.test(token)) kind = "word";
    else if (/^[{}[\],:]$/.test(token)) kind = "mark";
    pieces.push({ kind, text: token });
  }
  return pieces;
}

const XML_TOKEN = /<!--[\s\S]*?-->|<\/?[\w:.-]+|[\w:.-]+(?==")|"[^"]*"|\/?>|[^<>"\s=]+|[\s\S]/g;

export function tintXml(text: string): Piece[] {
  if (text.length > MOST_TINTED) return [{ kind: "plain", text }];
  return [...text.matchAll(XML_TOKEN)].map(([token]): Piece => {
    if (/^<\/?[\w:.-]/.test(token) || /^\/?>$/.test(token)) return { kind: "name", text: token };
    if (/^".*"$/s.test(token)) return { kind: "string", text: token };
    return { kind: token.startsWith("<!--") ? "mark" : "plain", text: token };
  });
}

/** The pieces of a text, grouped by line. */
export function tinted(text: string, look: Look): Piece[][] {
  const pieces: Piece[] = look === "json" ? tintJson(text) : look === "xml" ? tintXml(text) : [{ kind: "plain", text }];
  const lines: Piece[][] = [[]];
  for (const piece of pieces) {
    piece.text.split("\n").forEach((part, at) => {
      if (at > 0) lines.push([]);
      if (part !== "") lines[lines.length - 1]!.push({ kind: piece.kind, text: part });
    });
  }
  return lines;
}

/** Indents JSON by its marks. Numbers, strings and their order stay as they were written. */
export function prettyJson(text: string): string {
  if (text.length > MOST_TINTED) return text;
  const pieces = tintJson(text).filter((piece) => piece.kind !== "plain" || piece.text.trim() !== "");
  if (pieces.some((piece) => piece.kind === "plain")) return text;
  let out = "";
  let depth = 0;
  const indent = () => `\n${"  ".repeat(Math.max(0, depth))}`;
  pieces.forEach((piece, at) => {
    const next = pieces[at + 1]?.text;
    if (piece.kind !== "mark") out += piece.text;
    else if (piece.text === "{" || piece.text === "[") {
      out += piece.text;
      const closes = next === "}" || next === "]";
      depth++;
      if (!closes) out += indent();
    } else if (piece.text === "}" || piece.text === "]") {
      depth--;
      const opened = pieces[at - 1]?.text;
      if (opened !== "{" && opened !== "[") out += indent();
      out += piece.text;
    } else if (piece.text === ",") out += `,${indent()}`;
    else out += ": ";
  });
  return depth === 0 ? out : text;
}

/** Rows of a hex dump: offset, 16 bytes, printable characters. */
export function hexRows(data: Uint8Array, most = 4096): { offset: string; hex: string; text: string }[] {
  const rows = [];
  for (let at = 0; at < Math.min(data.length, most); at += 16) {
    const part = [...data.subarray(at, at + 16)];
    rows.push({
      offset: at.toString(16).padStart(8, "0"),
      hex: part.map((byte) => byte.toString(16).padStart(2, "0")).join(" "),
      text: part.map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : "·")).join(""),
    });
  }
  return rows;
}

export function bytesOf(payload: { text?: string; base64?: string }): Uint8Array {
  if (payload.text !== undefined) return new TextEncoder().encode(payload.text);
  const binary = atob(payload.base64 ?? "");
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
