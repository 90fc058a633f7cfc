import { expect, test } from "vitest";
import { timeline } from "./timeline";
import type { Attempt, MessageDetail } from "./types";

const T0 = Date.parse("2026-11-19T10:00:00.000Z");
const time = (minutes: number) => new Date(T0 + minutes * 60_000).toISOString();
const attempt = (n: number, error = "timeout", outcome: Attempt["outcome"] = "RETRY"): Attempt => ({
  attempt: n, relay: "relay-1", outcome, tookMillis: 5000, error, ended: time(n * 15),
});
const message = (more: Partial<MessageDetail>): MessageDetail => ({
  id: "1", seq: 1, status: "PENDING", namespace: "shop", topic: "orders", type: "OrderPlaced", attempts: 0, created: time(0), ...more,
});

test("a delivered message is stored, then delivered", () => {
  const moments = timeline(message({ status: "DELIVERED", attempts: 1, delivered: time(1) }), T0);

  expect(moments.map((moment) => moment.kind)).toEqual(["stored", "delivered"]);
});

test("identical failures fold into one moment with their interval", () => {
  const moments = timeline(message({ attempts: 9, attemptsList: [1, 2, 3, 4, 5].map((n) => attempt(n)) }), T0);

  expect(moments[1]).toMatchObject({ kind: "failed", from: 1, to: 5, everyMillis: 15 * 60_000 });
});

test("another cause ends the run", () => {
  const list = [attempt(1), attempt(2), attempt(3), attempt(4, "refused")];

  const moments = timeline(message({ attemptsList: list }), T0);

  expect(moments.map((moment) => [moment.from, moment.to])).toEqual([[undefined, undefined], [1, 3], [4, 4]]);
});

test("two failures stay apart", () => {
  expect(timeline(message({ attemptsList: [attempt(1), attempt(2)] }), T0)).toHaveLength(3);
});

test("the deadly attempt is a moment of its own and not told twice", () => {
  const moments = timeline(message({ status: "DEAD", attempts: 4, died: time(60), attemptsList: [attempt(1), attempt(2), attempt(3), attempt(4, "timeout", "DEAD")] }), T0);

  expect(moments.map((moment) => moment.kind)).toEqual(["stored", "failed", "died"]);
});

test("a dead message without recorded attempts still shows its end", () => {
  const moments = timeline(message({ status: "DEAD", attempts: 3, died: time(5), lastError: "no route" }), T0);

  expect(moments.at(-1)).toMatchObject({ kind: "died", error: "no route", to: 3 });
});

test("the next attempt stands last while it is ahead", () => {
  const moments = timeline(message({ attempts: 1, due: time(30), attemptsList: [attempt(1)] }), T0);

  expect(moments.at(-1)).toMatchObject({ kind: "due", at: T0 + 30 * 60_000 });
});

test("operators' actions stand in their place", () => {
  const moments = timeline(message({ audit: [{ at: time(20), by: "ana", action: "requeue" }], attemptsList: [attempt(1), attempt(2)] }), T0);

  expect(moments.map((moment) => moment.kind)).toEqual(["stored", "failed", "operator", "failed"]);
});
