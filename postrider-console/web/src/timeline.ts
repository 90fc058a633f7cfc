import type { Attempt, AuditEntry, MessageDetail } from "./types";

/** One dot of a message's timeline. Folded attempts are one dot with a range. */
export interface Moment {
  kind: "stored" | "failed" | "died" | "claimed" | "delivered" | "due" | "operator";
  at: number;
  /** The first and last attempt of a folded run. */
  from?: number;
  to?: number;
  everyMillis?: number;
  relay?: string;
  tookMillis?: number;
  error?: string;
  audit?: AuditEntry;
}

const at = (time: string | undefined) => (time === undefined ? Number.NaN : Date.parse(time));

/** What happened to a message, oldest first; identical failures in a row are one moment. */
export function timeline(message: MessageDetail, now: number): Moment[] {
  const moments: Moment[] = [{ kind: "stored", at: at(message.created) }];
  moments.push(...fold(message.attemptsList ?? []));
  for (const entry of message.audit ?? []) moments.push({ kind: "operator", at: at(entry.at), audit: entry });
  if (message.status === "CLAIMED") {
    moments.push({ kind: "claimed", at: at(message.updated ?? message.created), ...(message.claimedBy ? { relay: message.claimedBy } : {}) });
  }
  if (message.delivered) moments.push({ kind: "delivered", at: at(message.delivered), to: message.attempts });
  else if (message.died && !moments.some((moment) => moment.kind === "died")) {
    moments.push({ kind: "died", at: at(message.died), to: message.attempts, ...(message.lastError ? { error: message.lastError } : {}) });
  }
  moments.sort((a, b) => a.at - b.at);
  const due = at(message.due);
  if (message.status === "PENDING" && message.attempts > 0 && due > now) moments.push({ kind: "due", at: due });
  return moments;
}

function fold(attempts: Attempt[]): Moment[] {
  const sorted = [...attempts].sort((a, b) => at(a.ended) - at(b.ended));
  const out: Moment[] = [];
  let run: Attempt[] = [];
  const close = () => {
    if (run.length > 2) out.push(folded(run));
    else out.push(...run.map(single));
    run = [];
  };
  for (const attempt of sorted) {
    const last = run.at(-1);
    if (last && (attempt.outcome !== "RETRY" || cause(attempt) !== cause(last))) close();
    run.push(attempt);
    if (attempt.outcome !== "RETRY") close();
  }
  close();
  return out;
}

const cause = (attempt: Attempt) => attempt.failure ?? attempt.error?.split("\n")[0] ?? "";

function single(attempt: Attempt): Moment {
  return {
    kind: attempt.outcome === "DEAD" ? "died" : "failed",
    at: at(attempt.ended),
    from: attempt.attempt,
    to: attempt.attempt,
    ...(attempt.relay ? { relay: attempt.relay } : {}),
    ...(attempt.tookMillis !== undefined ? { tookMillis: attempt.tookMillis } : {}),
    ...(attempt.error ?? attempt.failure ? { error: attempt.error ?? attempt.failure! } : {}),
  };
}

function folded(run: Attempt[]): Moment {
  const first = run[0]!;
  const last = run.at(-1)!;
  return {
    ...single(last),
    from: first.attempt,
    everyMillis: (at(last.ended) - at(first.ended)) / (run.length - 1),
  };
}
