import { effect, signal } from "@preact/signals";
import { api, get, signedOut } from "./api";
import { generation, of, source } from "./session";
import type { Overview } from "./types";

export type Connection = "connecting" | "live" | "polling" | "lost";

export const overview = signal<Overview | undefined>(undefined);
export const connection = signal<Connection>("connecting");
export const paused = signal(false);
/** The time of the server at the last update. */
export const updatedAt = signal<number | undefined>(undefined);
/** The server's time, moving every second unless the page is paused. */
export const now = signal(Date.now());

const POLL_MILLIS = 2000;
const RETRY_STREAM_MILLIS = 15_000;
const SILENT_MILLIS = 5000;
let ahead = 0;

function take(next: Overview): void {
  const at = next.at ? Date.parse(next.at) : Date.now();
  ahead = at - Date.now();
  overview.value = next;
  updatedAt.value = at;
  now.value = at;
}

/** Follows one source until stopped: the stream first, questions every two seconds while it is silent. */
function follow(path: string, name: string): () => void {
  let events: EventSource | undefined;
  let heard = Date.now();
  let opened = 0;
  let asking = false;
  const open = () => {
    events?.close();
    opened = Date.now();
    events = new EventSource(api("events", { source: name }));
    events.addEventListener("overview", (event) => {
      heard = Date.now();
      connection.value = "live";
      take(JSON.parse((event as MessageEvent<string>).data) as Overview);
    });
  };
  const ask = async () => {
    if (asking) return;
    asking = true;
    try {
      take(await get<Overview>(path));
      if (Date.now() - heard > SILENT_MILLIS || connection.value !== "live") connection.value = "polling";
    } catch {
      connection.value = "lost";
    } finally {
      asking = false;
    }
  };
  connection.value = "connecting";
  void ask();
  open();
  const timer = setInterval(() => {
    if (signedOut.value || document.hidden) return;
    if (Date.now() - heard > SILENT_MILLIS) {
      void ask();
      if (Date.now() - opened > RETRY_STREAM_MILLIS) open();
    }
  }, POLL_MILLIS);
  return () => {
    clearInterval(timer);
    events?.close();
  };
}

export function startLive(): void {
  effect(() => {
    void generation.value;
    const name = source.value?.name;
    if (name === undefined || paused.value || signedOut.value) return undefined;
    return follow(of("overview"), name);
  });
  setInterval(() => {
    if (!paused.value && !document.hidden) now.value = Date.now() + ahead;
  }, 1000);
  addEventListener("online", () => {
    generation.value++;
  });
}
