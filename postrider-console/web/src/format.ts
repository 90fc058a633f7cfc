import type { Count } from "./types";

const PLAIN = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const FINE = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });

/** A whole number; a separator from 10,000 on, so that years and ports keep their look. */
export function whole(value: number): string {
  return Math.abs(value) > 9999 ? PLAIN.format(value) : String(Math.round(value));
}

/** A rate: one decimal below 10. */
export function rate(value: number | undefined): string {
  if (value === undefined) return "–";
  return value !== 0 && Math.abs(value) < 10 ? FINE.format(value) : whole(value);
}

export function countOf(count: Count | number | undefined): number {
  if (count === undefined) return 0;
  return typeof count === "number" ? count : count.value;
}

/** A count that may be capped: "10,000+". */
export function counted(count: Count | number | undefined): string {
  if (count === undefined) return "–";
  if (typeof count === "number") return whole(count);
  return whole(count.value) + (count.atLeast ? "+" : "");
}

const BRIEF = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });

/** A count for narrow places: "5.1K". */
export function brief(count: Count): string {
  return BRIEF.format(count.value) + (count.atLeast ? "+" : "");
}

/** A length of time in two units: "0.4 s", "3 m 12 s", "2 d 4 h". */
export function span(millis: number | undefined): string {
  if (millis === undefined || Number.isNaN(millis)) return "–";
  const ms = Math.max(0, millis);
  if (ms === 0) return "0 s";
  if (ms < 100) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  const s = Math.floor(ms / 1000);
  if (s < 60) return `${s} s`;
  if (s < 3600) return two(Math.floor(s / 60), "m", s % 60, "s");
  if (s < 86_400) return two(Math.floor(s / 3600), "h", Math.floor((s % 3600) / 60), "m");
  return two(Math.floor(s / 86_400), "d", Math.floor((s % 86_400) / 3600), "h");
}

/** A short length of time in whole milliseconds, a long one as {@link span}. */
export function delay(millis: number): string {
  return millis < 1000 ? `${Math.round(millis)} ms` : span(millis);
}

function two(high: number, highUnit: string, low: number, lowUnit: string): string {
  return low === 0 ? `${high} ${highUnit}` : `${high} ${highUnit} ${low} ${lowUnit}`;
}

/** How long ago, in one unit: lists are read down a column, the exact time is one hover away. */
export function ago(millis: number): string {
  const s = Math.floor(Math.max(0, millis) / 1000);
  if (s < 2) return "now";
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} m`;
  if (s < 86_400) return `${Math.floor(s / 3600)} h`;
  return `${Math.floor(s / 86_400)} d`;
}

export function bytes(value: number | undefined): string {
  if (value === undefined) return "–";
  if (value < 1024) return `${value} B`;
  if (value < 1024 * 1024) return `${FINE.format(value / 1024)} KB`;
  if (value < 1024 * 1024 * 1024) return `${FINE.format(value / 1024 / 1024)} MB`;
  return `${FINE.format(value / 1024 / 1024 / 1024)} GB`;
}

const pad = (value: number, width = 2) => String(value).padStart(width, "0");

/** The time of day of an instant. */
export function timeOfDay(at: number, clock: "utc" | "local", seconds = true): string {
  const d = new Date(at);
  const [h, m, s] = clock === "utc" ? [d.getUTCHours(), d.getUTCMinutes(), d.getUTCSeconds()] : [d.getHours(), d.getMinutes(), d.getSeconds()];
  return seconds ? `${pad(h)}:${pad(m)}:${pad(s)}` : `${pad(h)}:${pad(m)}`;
}

/** Date and time of an instant, with milliseconds. */
export function dateTime(at: number, clock: "utc" | "local"): string {
  const d = new Date(at);
  if (Number.isNaN(d.getTime())) return "–";
  if (clock === "utc") return `${d.toISOString().slice(0, 23).replace("T", " ")} UTC`;
  const day = `${d.getFullYear()}-${pad(d.getMonth() + 1)}-${pad(d.getDate())}`;
  return `${day} ${timeOfDay(at, "local")}.${pad(d.getMilliseconds(), 3)} ${zone(d)}`;
}

function zone(date: Date): string {
  const minutes = -date.getTimezoneOffset();
  const sign = minutes < 0 ? "−" : "+";
  return `UTC${sign}${pad(Math.floor(Math.abs(minutes) / 60))}:${pad(Math.abs(minutes) % 60)}`;
}

/** The first line of an error, and its remaining lines. */
export function firstLine(text: string | undefined): string {
  if (!text) return "";
  const end = text.indexOf("\n");
  return end < 0 ? text : text.slice(0, end);
}

/** The short form of an id for narrow columns. */
export function shortId(id: string): string {
  return id.length > 13 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id;
}
