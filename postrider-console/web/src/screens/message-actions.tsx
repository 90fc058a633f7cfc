import { askMessages } from "../act";
import { withTerm } from "../filter";
import { t } from "../text";
import type { BulkAction, Message } from "../types";
import { bulkAsk } from "../ui/bulk-dialog";
import type { MenuItem } from "../ui/menu";

export type Row = Pick<Message, "id" | "status" | "topic">;

/** The actions that the chosen rows allow, each with the number it applies to. */
export function act(chosen: Row[], done: () => void) {
  const dead = chosen.filter((row) => row.status === "DEAD");
  const delivered = chosen.filter((row) => row.status === "DELIVERED");
  const button = (action: BulkAction, rows: Row[], text: string) => (
    <button type="button" class="button little" onClick={() => askMessages(action, rows.map((row) => row.id), topicOf(rows), done)}>
      {text}
    </button>
  );
  return (
    <span class="buttons">
      {dead.length > 0 && button("requeue", dead, t.list.requeue(dead.length))}
      {dead.length > 0 && button("discard", dead, t.list.discard(dead.length))}
      {delivered.length > 0 && button("replay", delivered, t.list.replay(delivered.length))}
      {dead.length + delivered.length === 0 && <span class="muted small">{t.list.noneFit}</span>}
    </span>
  );
}

/** The topic, if all rows have the same. */
function topicOf(rows: Row[]): string | undefined {
  const topics = new Set(rows.map((row) => row.topic));
  return topics.size === 1 ? rows[0]?.topic : undefined;
}

const STATUS_OF: Record<BulkAction, string> = { requeue: "dead", discard: "dead", replay: "delivered" };

act.all = (filter: string): MenuItem[] =>
  (["requeue", "discard", "replay"] as const).map((action) => ({
    text: t.bulk.prepare[action]!,
    run: () => {
      bulkAsk.value = { action, filter: withTerm(filter, "status", STATUS_OF[action]) };
    },
  }));
