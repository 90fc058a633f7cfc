import { countOf, firstLine, whole } from "../format";
import { filterOf } from "../filter";
import { useLoad } from "../load";
import { overview } from "../live";
import { href, place } from "../router";
import { may, of } from "../session";
import { t } from "../text";
import type { DeadGroup, Message, Page as Rows } from "../types";
import { bulkAsk } from "../ui/bulk-dialog";
import { Empty, Failure, Scroll, Skeleton, Sparkline, When } from "../ui/basics";
import { Page } from "../ui/page";
import { Search } from "../ui/search";

const BUCKETS = 24;

/** The filter of exactly the messages of a group. */
export function groupFilter(group: DeadGroup): string {
  return filterOf({ status: "dead", ns: group.namespace, topic: group.topic, type: group.type, failure: group.failure });
}

const nameOf = (one: { namespace: string; topic: string; type: string; failure?: string }) => [one.namespace, one.topic, one.type, one.failure ?? ""].join("\u0000");

export function DeadScreen() {
  const filter = place.value.query.get("filter") ?? "";
  const groups = useLoad<Rows<DeadGroup>>(of("dead/groups"), { filter, limit: 100 }, 5000);
  const newest = useLoad<Rows<Message>>(of("messages"), { filter: ["status:dead", filter].filter(Boolean).join(" "), limit: 500 }, 30_000);
  const items = groups.data?.items;
  const total = items?.reduce((sum, group) => sum + group.count, 0) ?? countOf(overview.value?.cards?.dead);
  const sparks = histograms(newest.data?.items ?? []);
  return (
    <Page title={t.frame.screens.dead} {...(items && items.length > 0 ? { shows: t.dead.shows(total, items.length) } : {})}>
      <Search filter={filter} path={["dead"]} label={t.dead.filter} problem={groups.problem} known={knownOf(items ?? [])} />
      {groups.problem && groups.problem.json.code !== "filter-broken" && <Failure problem={groups.problem} reload={groups.reload} />}
      <section class="panel">
        {groups.slow && <Skeleton />}
        {items?.length === 0 && (
          <Empty title={filter === "" ? t.dead.empty : t.dead.emptyFiltered} text={filter === "" ? t.dead.emptyDo : t.list.emptyDo} cli="./postrider dead groups" />
        )}
        {items && items.length > 0 && <Groups items={items} sparks={sparks} />}
      </section>
    </Page>
  );
}

const knownOf = (groups: DeadGroup[]) => ({
  topics: [...new Set(groups.map((group) => group.topic))],
  types: [...new Set(groups.map((group) => group.type))],
  failures: [...new Set(groups.map((group) => group.failure))],
});

/** Deaths over the time that the newest dead messages span, for each group. */
function histograms(messages: Message[]): Map<string, number[]> {
  const out = new Map<string, number[]>();
  const times = messages.flatMap((message) => (message.died ? [Date.parse(message.died)] : []));
  const first = Math.min(...times);
  const width = Math.max(1, (Math.max(...times) - first) / BUCKETS);
  for (const message of messages) {
    if (!message.died) continue;
    const counts = out.get(nameOf(message)) ?? new Array<number>(BUCKETS).fill(0);
    const at = Math.min(BUCKETS - 1, Math.floor((Date.parse(message.died) - first) / width));
    counts[at]!++;
    out.set(nameOf(message), counts);
  }
  return out;
}

function Groups({ items, sparks }: { items: DeadGroup[]; sparks: Map<string, number[]> }) {
  const c = t.dead;
  return (
    <Scroll label={c.caption}>
      <table class="table roomy">
        <caption class="off-screen">{c.caption}</caption>
        <thead>
          <tr>
            <th scope="col" class="number">{c.count}</th>
            <th scope="col">{c.group}</th>
            <th scope="col" class="p3">{c.spark}</th>
            <th scope="col" class="p2">{c.first}</th>
            <th scope="col" class="p1">{c.last}</th>
            <th scope="col"><span class="off-screen">{t.common.actions}</span></th>
          </tr>
        </thead>
        <tbody>
          {items.map((group) => (
            <Group key={nameOf(group)} group={group} spark={sparks.get(nameOf(group))} />
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function Group({ group, spark }: { group: DeadGroup; spark: number[] | undefined }) {
  const filter = groupFilter(group);
  const seen = spark?.reduce((sum, count) => sum + count, 0) ?? 0;
  return (
    <tr>
      <td class="number">
        <a href={href(["messages"], { filter })} class="tone-dead">
          <strong>
            {whole(group.count)}
            {group.atLeast && "+"}
          </strong>
        </a>
      </td>
      <th scope="row" class="fluid">
        <a class="subject" href={href(["messages"], { filter })}>
          <strong>{group.topic}</strong> · {group.type}
        </a>
        {group.namespace && <span class="muted"> · {group.namespace}</span>}
        <div class="mono cut" title={group.failure}>{firstLine(group.failure)}</div>
        {group.sample?.error && <div class="muted small cut" title={group.sample.error}>{firstLine(group.sample.error)}</div>}
      </th>
      <td class="p3">{spark && <Sparkline counts={spark} label={t.dead.sparkWords(seen)} />}</td>
      <td class="p2"><When at={group.first} /></td>
      <td class="p1"><When at={group.last} /></td>
      <td class="nowrap">
        <span class="buttons">
          {may("operator") && (
            <>
              <button type="button" class="button little" onClick={() => (bulkAsk.value = { action: "requeue", filter })}>
                {t.dead.requeue}
              </button>
              <button type="button" class="button little p2" onClick={() => (bulkAsk.value = { action: "discard", filter })}>
                {t.dead.discard}
              </button>
            </>
          )}
          {group.sample && (
            <a class="button little p2" href={href(["messages", group.sample.id, ...(may("operator") ? ["edit"] : [])])}>
              {may("operator") ? t.dead.editOne : t.common.show}
            </a>
          )}
        </span>
      </td>
    </tr>
  );
}
