import { effect, signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark";
export interface SavedView {
  name: string;
  filter: string;
}

function stored<T>(name: string, fallback: T) {
  const value = signal<T>(read(name, fallback));
  effect(() => {
    try {
      localStorage.setItem(`postrider.${name}`, JSON.stringify(value.value));
    } catch {
      // Storage may be closed or full: the choice then lasts as long as the page.
    }
  });
  return value;
}

function read<T>(name: string, fallback: T): T {
  try {
    const text = localStorage.getItem(`postrider.${name}`);
    return text === null ? fallback : (JSON.parse(text) as T);
  } catch {
    return fallback;
  }
}

export const theme = stored<Theme>("theme", "system");
export const clock = stored<"utc" | "local">("clock", "utc");
export const shortcuts = stored<boolean>("shortcuts", true);
export const compact = stored<boolean>("compact", false);
export const savedViews = stored<SavedView[]>("views", []);

export function startPrefs(): void {
  effect(() => {
    const root = document.documentElement;
    if (theme.value === "system") root.removeAttribute("data-theme");
    else root.setAttribute("data-theme", theme.value);
    root.toggleAttribute("data-compact", compact.value);
  });
}
