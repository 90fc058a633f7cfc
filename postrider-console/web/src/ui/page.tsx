import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { dateTime, timeOfDay } from "../format";
import { connection, overview, paused, updatedAt } from "../live";
import { clock } from "../prefs";
import { place } from "../router";
import { t } from "../text";
import { Icon } from "./icon";

/** The frame of every screen: its title, what it shows in words, the live switch, its content. */
export function Page({ title, shows, side, children }: { title: string; shows?: string; side?: ComponentChildren; children: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const path = place.value.path.join("/");
  useEffect(() => {
    document.title = `${title} · ${t.frame.product}`;
  }, [title]);
  useEffect(() => {
    if (moved) heading.current?.focus({ preventScroll: true });
    moved = true;
  }, [path]);
  return (
    <div class="page">
      <header class="top">
        <div class="top-in">
          <div class="words">
            <h1 tabIndex={-1} ref={heading}>
              {title}
            </h1>
            {shows && (
              <p class="shows" title={shows}>
                {shows}
              </p>
            )}
          </div>
          {side}
          <LiveSwitch />
        </div>
      </header>
      <main id="content" class="content">
        {children}
      </main>
    </div>
  );
}

/** False until the first screen has been left: the first page load keeps the focus where the browser puts it. */
let moved = false;

function LiveSwitch() {
  const state = paused.value ? "paused" : connection.value;
  const at = updatedAt.value;
  const words = { paused: t.frame.paused, live: t.frame.live, connecting: t.frame.connecting, polling: t.frame.polling, lost: t.frame.lost }[state];
  const zone = clock.value === "utc" ? " UTC" : "";
  return (
    <div class={`live ${state}`}>
      <span class="dot" aria-hidden="true" />
      <span title={at ? dateTime(at, clock.value) : ""}>
        {words}
        {at !== undefined && ` · ${state === "lost" ? t.frame.lostSince(timeOfDay(at, clock.value)) : timeOfDay(at, clock.value)}${zone}`}
      </span>
      <button
        type="button"
        class="button little only-icon"
        aria-pressed={paused.value}
        aria-label={paused.value ? t.frame.resume : t.frame.pause}
        title={`${paused.value ? t.frame.resume : t.frame.pause} (r)`}
        onClick={() => (paused.value = !paused.value)}
        disabled={overview.value === undefined && !paused.value}
      >
        <Icon name={paused.value ? "play" : "pause"} />
      </button>
    </div>
  );
}
