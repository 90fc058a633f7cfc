import { href } from "../router";
import { t } from "../text";
import type { AuditEntry } from "../types";
import { Scroll, When } from "./basics";
import { firstLine, shortId } from "../format";

/** An action of the audit in words: "resume topic". */
export function actionWords(action: string): string {
  return action.toLowerCase().replaceAll("_", " ");
}

/** What an audit entry was applied to. */
export function Target({ entry }: { entry: AuditEntry }) {
  if (entry.messageId) {
    return (
      <a class="mono" href={href(["messages", entry.messageId])} title={entry.messageId}>
        {shortId(entry.messageId)}
      </a>
    );
  }
  if (entry.bulkId) return <a href={href(["bulk", entry.bulkId])}>{t.audit.bulk}</a>;
  return <span class="muted">{t.common.none}</span>;
}

/** Operators' actions as a table. */
export function Trail({ entries, caption }: { entries: AuditEntry[]; caption: string }) {
  const c = t.audit.columns;
  return (
    <Scroll label={caption}>
      <table class="table">
        <caption class="off-screen">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{c.at}</th>
            <th scope="col">{c.by}</th>
            <th scope="col">{c.action}</th>
            <th scope="col" class="p1">{c.target}</th>
            <th scope="col">{c.reason}</th>
            <th scope="col" class="p2">{c.result}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry, at) => (
            <tr key={entry.entry ?? `${entry.at}-${at}`}>
              <td><When at={entry.at} /></td>
              <th scope="row" class="nowrap">{entry.by}</th>
              <td class="nowrap">{actionWords(entry.action)}</td>
              <td class="p1 nowrap"><Target entry={entry} /></td>
              <td class="half cut" title={entry.reason}>{firstLine(entry.reason) || t.common.none}</td>
              <td class="p2 half cut" title={entry.detail}>{entry.detail ?? t.common.none}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
