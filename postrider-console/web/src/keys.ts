import { effect, signal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { shortcuts } from "./prefs";
import { paused } from "./live";
import { go, href } from "./router";

export const keyHelp = signal(false);

type Keys = Record<string, () => void>;

let screenKeys: Keys = {};

/** Gives a screen keys of its own while it is shown. They are set before the next key can be pressed. */
export function useScreenKeys(keys: Keys): void {
  useLayoutEffect(() => {
    screenKeys = keys;
  });
  useLayoutEffect(
    () => () => {
      screenKeys = {};
    },
    [],
  );
}

export const JUMPS: Record<string, string[]> = {
  o: [],
  m: ["messages"],
  d: ["dead"],
  r: ["relays"],
  t: ["topics"],
  k: ["keys"],
  i: ["inbox"],
  s: ["sagas"],
  l: ["alerts"],
  b: ["bulk"],
  a: ["audit"],
};

const writes = (element: Element | null) =>
  element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement;

/** Listens for the keyboard map; every shortcut can be switched off. */
export function startKeys(): void {
  let jump = false;
  document.addEventListener("keydown", (event) => {
    if (!shortcuts.value || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (writes(document.activeElement) || document.querySelector("dialog[open]")) return;
    const key = event.key;
    if (jump) {
      jump = false;
      const to = JUMPS[key];
      if (to) {
        event.preventDefault();
        go(href(to));
      }
      return;
    }
    const own = screenKeys[key];
    if (own) own();
    else if (key === "g") jump = true;
    else if (key === "?") keyHelp.value = true;
    else if (key === "r") paused.value = !paused.value;
    else if (key === "/") {
      const box = document.querySelector<HTMLInputElement>("[data-search]");
      if (box) box.focus();
      else go(href(["messages"]));
    } else return;
    event.preventDefault();
  });
  effect(() => {
    if (!shortcuts.value) jump = false;
  });
}
