import { useEffect, useRef, useState } from "preact/hooks";
import { get, Problem, signedOut } from "./api";
import { paused } from "./live";
import { queryText, type Params } from "./router";
import { generation } from "./session";

export interface Loaded<T> {
  data: T | undefined;
  problem: Problem | undefined;
  /** True once nothing has come for 300 ms: time for a skeleton. */
  slow: boolean;
  reload: () => void;
}

const SLOW_MILLIS = 300;

/** Loads a route, again when its address or the session changes and, if asked, every few milliseconds while live. */
export function useLoad<T>(path: string | undefined, params: Params = {}, everyMillis = 0): Loaded<T> {
  const address = path === undefined ? undefined : path + queryText(params);
  const [state, setState] = useState<{ path?: string; data?: T; problem?: Problem }>({});
  const [slow, setSlow] = useState(false);
  const [asked, setAsked] = useState(0);
  const latest = useRef(params);
  latest.current = params;
  const session = generation.value;
  const still = paused.value;

  useEffect(() => {
    if (path === undefined) return undefined;
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const patience = setTimeout(() => setSlow(true), SLOW_MILLIS);
    const settle = (next: { data?: T; problem?: Problem }) => {
      clearTimeout(patience);
      setSlow(false);
      setState((old) => ({ ...(next.data === undefined && old.path === path ? { data: old.data } : {}), ...next, path }) as typeof old);
    };
    const load = async () => {
      try {
        settle({ data: await get<T>(path, latest.current, abort.signal) });
      } catch (error) {
        if (abort.signal.aborted) return;
        const problem = error instanceof Problem ? error : new Problem({ status: 0, code: "internal", title: String(error) });
        if (!signedOut.value) settle({ problem });
      }
      again();
    };
    const again = () => {
      if (everyMillis > 0 && !still && !abort.signal.aborted) timer = setTimeout(() => (document.hidden ? again() : void load()), everyMillis);
    };
    void load();
    return () => {
      abort.abort();
      clearTimeout(timer);
      clearTimeout(patience);
    };
  }, [address, asked, session, still, everyMillis]);

  const mine = state.path === path;
  return {
    data: mine ? state.data : undefined,
    problem: mine ? state.problem : undefined,
    slow: slow && !(mine && state.data !== undefined),
    reload: () => setAsked((count) => count + 1),
  };
}
