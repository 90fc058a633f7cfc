import { computed, effect, signal } from "@preact/signals";
import { get, signedOut } from "./api";
import { kept, place } from "./router";
import type { Me, Role, Source, Sources } from "./types";

export const me = signal<Me | undefined>(undefined);
export const sources = signal<Sources | undefined>(undefined);
/** Grows with every sign-in: what is on the page then loads again. */
export const generation = signal(0);

const RANK: Record<Role, number> = { viewer: 0, operator: 1, admin: 2 };

/** Whether the caller may do what asks for this role; the API decides, the page only mirrors it. */
export function may(role: Role): boolean {
  return me.value !== undefined && RANK[me.value.role.toLowerCase() as Role] >= RANK[role];
}

/** The source the page shows: the one in the address, else the first. */
export const source = computed<Source | undefined>(() => {
  const all = sources.value?.sources ?? [];
  const named = place.value.query.get("source");
  return all.find((one) => one.name === named) ?? all[0];
});

/** The route of the shown source: "sources/main/messages". */
export function of(path: string): string {
  return `sources/${encodeURIComponent(source.value?.name ?? "")}/${path}`;
}

/** Asks who is calling and what there is to see. */
export async function enter(): Promise<void> {
  const [who, what] = await Promise.all([get<Me>("me"), get<Sources>("sources")]);
  me.value = who;
  sources.value = what;
  signedOut.value = false;
  generation.value++;
}

export function startSession(): void {
  effect(() => {
    kept.value = (sources.value?.sources.length ?? 0) > 1 ? { source: source.value!.name } : {};
  });
}
