import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { Icon } from "./icon";

export interface MenuItem {
  text: string;
  run?: () => void;
  href?: string;
  download?: boolean;
}

/** A button with a list of actions; Escape and a click elsewhere close it. */
export function Menu({ label, items, start, little, children }: { label: string; items: MenuItem[]; start?: boolean; little?: boolean; children?: ComponentChildren }) {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  useEffect(() => {
    if (!open) return undefined;
    box.current!.querySelector<HTMLElement>(".menu-item")?.focus();
    const away = (event: Event) => {
      if (!box.current!.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener("pointerdown", away);
    document.addEventListener("focusin", away);
    return () => {
      document.removeEventListener("pointerdown", away);
      document.removeEventListener("focusin", away);
    };
  }, [open]);
  const keys = (event: KeyboardEvent) => {
    if (!open) return;
    const all = [...box.current!.querySelectorAll<HTMLElement>(".menu-item")];
    const at = all.indexOf(document.activeElement as HTMLElement);
    if (event.key === "Escape") {
      setOpen(false);
      box.current!.querySelector("button")?.focus();
    } else if (event.key === "ArrowDown") all[(at + 1) % all.length]?.focus();
    else if (event.key === "ArrowUp") all[(at - 1 + all.length) % all.length]?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="menu" ref={box} onKeyDown={keys}>
      <button type="button" class={little ? "button little" : "button"} aria-haspopup="true" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        {label}
        <Icon name="chevron" />
      </button>
      {open && (
        <div id={id} class={start ? "menu-list start" : "menu-list"}>
          {items.map((item) =>
            item.href ? (
              <a key={item.text} class="menu-item" href={item.href} download={item.download} onClick={() => setOpen(false)}>
                {item.text}
              </a>
            ) : (
              <button
                key={item.text}
                type="button"
                class="menu-item"
                onClick={() => {
                  setOpen(false);
                  item.run?.();
                }}
              >
                {item.text}
              </button>
            ),
          )}
          {children}
        </div>
      )}
    </div>
  );
}
