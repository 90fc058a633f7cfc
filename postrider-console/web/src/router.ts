import { signal } from "@preact/signals";

/** Where the reader is: the path below the mount point and its query. */
export interface Place {
  path: string[];
  query: URLSearchParams;
}

/** The path of the mount point, ending in a slash, from the page's base element. */
export function mount(): string {
  return new URL(document.baseURI).pathname.replace(/[^/]*$/, "");
}

/** Reads an address below a mount point. */
export function placeOf(pathname: string, search: string, base: string): Place {
  const below = pathname.startsWith(base) ? pathname.slice(base.length) : pathname.replace(/^\/+/, "");
  return {
    path: below.split("/").filter((part) => part !== "").map(decoded),
    query: new URLSearchParams(search),
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export type Params = Record<string, string | number | boolean | undefined>;

/** The query text of these values; empty and undefined values are left out. */
export function queryText(params: Params): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined && value !== "" && value !== false) query.set(name, String(value));
  }
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}

const here = () => placeOf(location.pathname, location.search, mount());

export const place = signal<Place>({ path: [], query: new URLSearchParams() });
/** Query parameters that every address keeps, such as the source. */
export const kept = signal<Params>({});

/** The address of a screen. */
export function href(path: string[], params: Params = {}): string {
  return mount() + path.map(encodeURIComponent).join("/") + queryText({ ...kept.value, ...params });
}

/** Goes to an address of ours; a replaced address leaves no entry in the history. */
export function go(address: string, replace = false): void {
  const before = place.value.path.join("/");
  if (replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  place.value = here();
  if (!replace && place.value.path.join("/") !== before) window.scrollTo(0, 0);
}

/** Changes query parameters of the present address. */
export function goWith(params: Params, replace = false): void {
  const all: Params = Object.fromEntries(place.value.query.entries());
  go(href(place.value.path, { ...all, ...params }), replace);
}

/** Follows links and the history without loading the page again. */
export function startRouter(): void {
  place.value = here();
  addEventListener("popstate", () => {
    place.value = here();
  });
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) {
      return;
    }
    const link = (event.target as Element).closest?.("a");
    if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
    if (!link.pathname.startsWith(mount()) || link.pathname.startsWith(`${mount()}api/`)) return;
    if (link.hash !== "" && link.pathname === location.pathname) return;
    event.preventDefault();
    go(link.pathname + link.search);
  });
}
