import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { copyText } from "../copy";
import { ago, dateTime } from "../format";
import { now } from "../live";
import { clock } from "../prefs";
import { Problem } from "../api";
import { t } from "../text";
import type { Message, StatusName } from "../types";
import { Icon, type IconName } from "./icon";

type Tone = "delivered" | "pending" | "retrying" | "dead" | "muted" | "accent";

const STATUS: Record<string, [IconName, Tone]> = {
  pending: ["clock", "pending"],
  claimed: ["play", "pending"],
  delivered: ["check", "delivered"],
  dead: ["cross", "dead"],
  retrying: ["retry", "retrying"],
};

/** The word for a message's state: a pending message with failed attempts is retrying. */
export function stateOf(message: { status: StatusName; attempts: number }): keyof typeof t.status {
  if (message.status === "PENDING" && message.attempts > 0) return "retrying";
  return message.status.toLowerCase() as keyof typeof t.status;
}

export function Status({ of }: { of: Pick<Message, "status" | "attempts"> }) {
  const state = stateOf(of);
  const [icon, tone] = STATUS[state] ?? ["dot", "muted"];
  return <Toned icon={icon} tone={tone} text={t.status[state] ?? state} />;
}

/** Icon, word and colour together: no state is told by colour alone. */
export function Toned({ icon, tone, text }: { icon: IconName; tone: Tone; text: string }) {
  return (
    <span class={`status tone-${tone}`}>
      <Icon name={icon} />
      {text}
    </span>
  );
}

/** How long ago, with both absolute times on hover and focus. */
export function When({ at, full }: { at: string | undefined; full?: boolean }) {
  if (at === undefined) return <span class="muted">{t.common.none}</span>;
  const time = Date.parse(at);
  const ahead = time - now.value;
  const relative = ahead > 1000 ? t.common.in(ago(ahead)) : t.common.ago(ago(-ahead));
  const other = clock.value === "utc" ? "local" : "utc";
  return (
    <time dateTime={at} title={`${dateTime(time, clock.value)}\n${dateTime(time, other)}`} class="nowrap">
      {full ? `${dateTime(time, clock.value)} · ${relative}` : relative}
    </time>
  );
}

export function Copy({ text, label }: { text: string; label?: string }) {
  const [said, setSaid] = useState("");
  useEffect(() => {
    if (said === "") return undefined;
    const timer = setTimeout(() => setSaid(""), 2000);
    return () => clearTimeout(timer);
  }, [said]);
  const run = async () => setSaid((await copyText(text)) ? t.common.copied : t.common.copyFailed);
  const name = said === "" ? (label ?? t.common.copy) : said;
  return (
    <button type="button" class="copy" title={name} aria-label={name} onClick={() => void run()}>
      <Icon name={said === t.common.copied ? "check" : "copy"} />
    </button>
  );
}

export function Cli({ text }: { text: string }) {
  return (
    <span class="cli">
      <code>{text}</code>
      <Copy text={text} label={t.common.asCommand} />
    </span>
  );
}

export function Empty({ title, text, cli, children }: { title: string; text: string; cli?: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      <p>{text}</p>
      {cli && <Cli text={cli} />}
      {children}
    </div>
  );
}

/** What went wrong and what to do; it stays on the page. */
export function Failure({ problem, reload }: { problem: Problem; reload?: () => void }) {
  const { code = "internal", detail, title } = problem.json;
  const unreachable = code === "unreachable";
  const todo = problem.json.do ?? (unreachable ? t.problems.unreachableDo : t.problems.dos[code]);
  return (
    <div class="problem" role="alert">
      <h2>
        <Icon name="warn" />
        {unreachable ? t.problems.unreachable : (t.problems.titles[code] ?? title ?? t.problems.title)}
      </h2>
      {detail && <p class="detail">{detail}</p>}
      {todo && <p>{todo}</p>}
      {reload && (
        <p>
          <button type="button" class="button little" onClick={reload}>
            {t.common.reload}
          </button>
        </p>
      )}
    </div>
  );
}

export function Skeleton({ rows = 8 }: { rows?: number }) {
  return (
    <div class="skeleton" role="img" aria-label={t.common.loading}>
      {Array.from({ length: rows }, (_, at) => (
        <i key={at} />
      ))}
    </div>
  );
}

export function Panel({ title, side, children, label }: { title?: string; side?: ComponentChildren; children: ComponentChildren; label?: string }) {
  return (
    <section class="panel" aria-label={title ?? label}>
      {title && (
        <header>
          <h2>{title}</h2>
          {side}
        </header>
      )}
      {children}
    </section>
  );
}

/** A scrolling region for a table; it takes the focus only when it has something to scroll. */
export function Scroll({ label, children }: { label: string; children: ComponentChildren }) {
  const place = useRef<HTMLDivElement>(null);
  const [wide, setWide] = useState(false);
  useEffect(() => {
    const box = place.current!;
    const look = () => setWide(box.scrollWidth > box.clientWidth + 1);
    const watch = new ResizeObserver(look);
    watch.observe(box);
    look();
    return () => watch.disconnect();
  });
  return (
    <div class="scroll" ref={place} {...(wide ? { tabIndex: 0, role: "group", "aria-label": label } : {})}>
      {children}
    </div>
  );
}

/** A progress bar whose width is an attribute, so that no inline style is needed. */
export function Bar({ parts, label }: { parts: { share: number; tone: "delivered" | "retrying" | "dead" | "accent" | "muted" }[]; label: string }) {
  let x = 0;
  return (
    <svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label={label}>
      <rect class="ground" width="100" height="8" rx="1" />
      {parts.map(({ share, tone }, at) => {
        const width = Math.max(0, Math.min(100 - x, share * 100));
        const rect = <rect key={at} class={`fill-${tone}`} x={x} width={width} height="8" />;
        x += width;
        return rect;
      })}
    </svg>
  );
}

/** Counts over time as small bars. */
export function Sparkline({ counts, label }: { counts: number[]; label: string }) {
  const most = Math.max(1, ...counts);
  const step = 96 / counts.length;
  return (
    <svg class="spark" viewBox="0 0 96 20" role="img" aria-label={label}>
      {counts.map((count, at) => {
        const height = count === 0 ? 1 : 2 + (count / most) * 18;
        return <rect key={at} class={count === 0 ? "fill-muted" : "fill-dead"} x={at * step} y={20 - height} width={step - 1} height={height} opacity={count === 0 ? 0.35 : 1} />;
      })}
    </svg>
  );
}

export function Segments<T extends string>({ label, options, value, pick }: { label: string; options: [T, string][]; value: T; pick: (value: T) => void }) {
  return (
    <div class="segments" role="group" aria-label={label}>
      {options.map(([name, text]) => (
        <button key={name} type="button" class="segment" aria-pressed={value === name} onClick={() => pick(name)}>
          {text}
        </button>
      ))}
    </div>
  );
}

/** Tabs with the arrow keys; the chosen one is in the address, so the parent keeps it. */
export function Tabs<T extends string>({ label, tabs, value, pick, children }: { label: string; tabs: [T, string][]; value: T; pick: (tab: T) => void; children: ComponentChildren }) {
  const move = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const at = tabs.findIndex(([name]) => name === value);
    const to = tabs[(at + step + tabs.length) % tabs.length]![0];
    pick(to);
    (event.currentTarget as HTMLElement).querySelector<HTMLElement>(`[data-tab="${to}"]`)?.focus();
  };
  return (
    <section class="panel">
      <div class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map(([name, text]) => (
          <button key={name} type="button" role="tab" class="tab" data-tab={name} id={`tab-${name}`} aria-selected={value === name} aria-controls="tab-panel" tabIndex={value === name ? 0 : -1} onClick={() => pick(name)}>
            {text}
          </button>
        ))}
      </div>
      <div role="tabpanel" id="tab-panel" aria-labelledby={`tab-${value}`}>
        {children}
      </div>
    </section>
  );
}
