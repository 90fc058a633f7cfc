import { ask, type Ask } from "./actions";
import { post } from "./api";
import { command } from "./copy";
import { of } from "./session";
import { t } from "./text";
import type { BulkAction } from "./types";

/** The command that does the same. */
export const COMMAND: Record<BulkAction, [string, string]> = {
  requeue: ["dead", "requeue"],
  discard: ["dead", "discard"],
  replay: ["messages", "replay"],
};

/** Asks for a confirmation of an action on these messages; the ids are fixed now. */
export function askMessages(action: BulkAction, ids: string[], topic: string | undefined, done: () => void): void {
  const words = t.act[action];
  const fixed = [...ids];
  ask.value = {
    title: words.title,
    sentence: words.sentence(fixed.length, topic ? t.act.ofTopic(topic) : ""),
    consequence: words.consequence,
    verb: words.verb(fixed.length),
    danger: action === "discard",
    count: fixed.length,
    ...(fixed.length <= 3 ? { cli: command(...COMMAND[action], ...fixed) } : {}),
    run: async (reason) => {
      const answer = await post<{ asked: number; done: number }>(of(`messages/${action}`), { ids: fixed, reason });
      return t.act.result(t.act.done[action], answer.asked, answer.done, t.act.left[action]);
    },
    done,
  };
}

/** Asks for a confirmation of an action that has a route of its own. */
export function askPost(path: string, body: Record<string, unknown>, words: Pick<Ask, "title" | "sentence" | "verb"> & Partial<Ask>, result: string, done: () => void): void {
  ask.value = {
    count: 1,
    ...words,
    run: async (reason, fields) => {
      await post(of(path), { ...body, ...fields, reason });
      return result;
    },
    done,
  };
}
