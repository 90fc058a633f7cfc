/** A qualifier of the search bar, as it stands in the text. */
export interface Term {
  name: string;
  value: string;
  start: number;
  end: number;
}

export interface Completion {
  /** What is shown and inserted. */
  text: string;
  /** Where the inserted text begins and ends in the old text. */
  start: number;
  end: number;
  hint?: string;
}

/** What completions may offer besides the qualifiers themselves. */
export interface Known {
  topics?: string[];
  types?: string[];
  namespaces?: string[];
  failures?: string[];
}

export const QUALIFIERS = ["status", "topic", "type", "key", "ns", "tenant", "age", "created", "died", "failure", "error", "id"] as const;

/** Splits a filter at its spaces; quoted values keep theirs. */
export function terms(text: string): Term[] {
  const out: Term[] = [];
  let at = 0;
  while (at < text.length) {
    if (text[at] === " ") {
      at++;
      continue;
    }
    const start = at;
    let quoted = false;
    while (at < text.length && (quoted || text[at] !== " ")) {
      if (quoted && text[at] === "\\") at++;
      else if (text[at] === '"') quoted = !quoted;
      at++;
    }
    at = Math.min(at, text.length);
    const token = text.slice(start, at);
    const colon = token.indexOf(":");
    const name = colon < 0 || token.startsWith('"') ? "" : token.slice(0, colon);
    out.push({ name, value: unquoted(name === "" ? token : token.slice(colon + 1)), start, end: at });
  }
  return out;
}

function unquoted(value: string): string {
  if (!value.startsWith('"')) return value;
  const end = value.endsWith('"') && value.length > 1 ? -1 : undefined;
  return value.slice(1, end).replace(/\\(.)/g, "$1");
}

/** A value as the grammar wants it: quoted when it has a space or a quote. */
export function quoted(value: string): string {
  return value === "" || /[\s"\\]/.test(value) ? `"${value.replace(/(["\\])/g, "\\$1")}"` : value;
}

/** The filter text of these values, in their order. */
export function filterOf(values: Record<string, string | undefined>): string {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined && value !== "")
    .map(([name, value]) => `${name}:${quoted(value!)}`)
    .join(" ");
}

/** The value of one qualifier, if the filter has it. */
export function valueOf(text: string, name: string): string | undefined {
  return terms(text).find((term) => term.name === name)?.value;
}

/** The filter with one qualifier set, replaced or, without a value, removed. */
export function withTerm(text: string, name: string, value: string | undefined): string {
  const kept = terms(text)
    .filter((term) => term.name !== name)
    .map((term) => text.slice(term.start, term.end));
  if (value !== undefined) kept.push(`${name}:${quoted(value)}`);
  return kept.join(" ");
}

const VALUES: Record<string, string[]> = {
  status: ["pending", "claimed", "delivered", "dead", "retrying"],
  age: [">1m", ">5m", ">1h", "<15m", "<1h"],
  died: ["<15m", "<1h", "<1d", ">1d"],
};

/** What may be written at the caret, at most `most` of them. */
export function completions(text: string, caret: number, known: Known = {}, most = 8): Completion[] {
  const term = terms(text).find((one) => one.start <= caret && caret <= one.end);
  const start = term?.start ?? caret;
  const end = term?.end ?? caret;
  const typed = text.slice(start, caret);
  const colon = typed.indexOf(":");
  if (colon < 0) {
    const used = new Set(terms(text).filter((one) => one !== term).map((one) => one.name));
    return QUALIFIERS.filter((name) => !used.has(name) && name.startsWith(typed.toLowerCase()))
      .slice(0, most)
      .map((name) => ({ text: `${name}:`, start, end }));
  }
  const name = typed.slice(0, colon);
  const part = typed.slice(colon + 1).replace(/^"/, "").toLowerCase();
  return valuesOf(name, known)
    .filter((value) => value.toLowerCase() !== part && (Object.hasOwn(VALUES, name) ? value.startsWith(part) : value.toLowerCase().includes(part)))
    .slice(0, most)
    .map((value) => ({ text: `${name}:${quoted(value)}`, start, end }));
}

function valuesOf(name: string, known: Known): string[] {
  const learnt: Record<string, string[] | undefined> = {
    ...VALUES,
    topic: known.topics,
    type: known.types,
    ns: known.namespaces,
    failure: known.failures,
  };
  return Object.hasOwn(learnt, name) ? (learnt[name] ?? []) : [];
}

/** The text and caret after a completion was taken; a value is followed by a space. */
export function taken(text: string, completion: Completion): { text: string; caret: number } {
  const space = completion.text.endsWith(":") || text[completion.end] === " " ? "" : " ";
  const head = text.slice(0, completion.start) + completion.text + space;
  return { text: head + text.slice(completion.end), caret: head.length };
}
