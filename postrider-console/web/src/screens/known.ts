import type { Known } from "../filter";
import type { Message } from "../types";

const seen = { topics: new Set<string>(), types: new Set<string>(), namespaces: new Set<string>(), failures: new Set<string>() };
const MOST = 200;

/** What the search may complete: the values of every row that this page has shown. */
export function completionsOf(rows: Message[]): Known {
  for (const row of rows) {
    learn(seen.topics, row.topic);
    learn(seen.types, row.type);
    learn(seen.namespaces, row.namespace);
    learn(seen.failures, row.failure);
  }
  return { topics: [...seen.topics], types: [...seen.types], namespaces: [...seen.namespaces], failures: [...seen.failures] };
}

function learn(values: Set<string>, value: string | undefined): void {
  if (value && values.size < MOST) values.add(value);
}
