import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { counted, countOf, delay, firstLine, rate, span, whole } from "../format";
import { filterOf } from "../filter";
import { useLoad } from "../load";
import { now, overview } from "../live";
import { go, goWith, href, place } from "../router";
import { may, of } from "../session";
import { t } from "../text";
import type { AuditEntry, DeadGroup, Overview, Points, Statistics, Verdict } from "../types";
import { bulkAsk } from "../ui/bulk-dialog";
import { Bar, Failure, Panel, Segments, Skeleton, When } from "../ui/basics";
import { Chart, type Line } from "../ui/chart";
import { Icon, type IconName } from "../ui/icon";
import { Page } from "../ui/page";
import { actionWords, Target } from "../ui/trail";
import { groupFilter } from "./dead";

const LOOK: Record<Verdict["state"], [IconName, string]> = {
  ok: ["check", "delivered"],
  warn: ["retry", "retrying"],
  bad: ["cross", "dead"],
  paused: ["pause", "pending"],
};
const REFRESH: Record<string, number> = { "15m": 2000, "1h": 10_000, "24h": 60_000 };

export function OverviewScreen() {
  const range = windowOf(place.value.query.get("window"));
  const seen = useLoad<Overview>(overview.value ? undefined : of("overview"));
  const shown = overview.value ?? seen.data;
  return (
    <Page title={t.frame.screens.overview} shows={t.overview.windowWords[range]!}>
      {!shown && seen.problem && <Failure problem={seen.problem} reload={seen.reload} />}
      {!shown && seen.slow && <Skeleton />}
      {shown && (
        <>
          <VerdictLine verdict={shown.verdict} />
          <Changes changes={shown.changes ?? []} />
          {shown.cards && <Figures cards={shown.cards} />}
        </>
      )}
      <Charts range={range}>
      {shown && (
        <div class="columns wide-left">
          <Needs shown={shown} />
          <Panel title={t.overview.recent} side={<a href={href(["audit"])}>{t.common.showAll}</a>}>
            <Recent entries={shown.actions} />
          </Panel>
        </div>
      )}
      </Charts>
    </Page>
  );
}

const windowOf = (text: string | null) => (text !== null && Object.hasOwn(t.overview.windows, text) ? text : "15m");

function VerdictLine({ verdict }: { verdict: Verdict }) {
  const [icon, tone] = LOOK[verdict.state] ?? LOOK.warn;
  return (
    <p class="verdict" data-state={verdict.state}>
      <span class={`tone-${tone}`}>
        <Icon name={icon} />
      </span>
      <span class={verdict.state === "bad" ? "tone-dead" : ""}>{verdict.sentence}</span>
    </p>
  );
}

function Changes({ changes }: { changes: string[] }) {
  const [hidden, hide] = useState("");
  const text = changes.join("; ");
  if (text === "" || text === hidden) return null;
  return (
    <div class="notice">
      <span class="grow">
        <strong>{t.frame.changed}:</strong> {text}
      </span>
      <button type="button" class="button plain little" onClick={() => hide(text)}>
        {t.frame.dismiss}
      </button>
    </div>
  );
}

function Figures({ cards }: { cards: NonNullable<Overview["cards"]> }) {
  const c = t.overview.cards;
  const messages = (filter: string) => href(["messages"], { filter });
  return (
    <div class="panel figures">
      <Figure big label={c.oldest} value={span(cards.oldestPendingMillis)} to={href(["messages"], { filter: "status:pending", order: "oldest" })} />
      <Figure label={c.in} value={rate(cards.inPerSecond)} unit={c.perSecond} to={messages("")} />
      <Figure label={c.out} value={rate(cards.outPerSecond)} unit={c.perSecond} to={messages("status:delivered")} />
      <Figure label={c.pending} value={counted(cards.pending)} to={messages("status:pending")} />
      {cards.retrying ? (
        <Figure label={c.retrying} value={counted(cards.retrying)} tone={countOf(cards.retrying) > 0 ? "retrying" : ""} to={messages("status:retrying")} />
      ) : (
        <Figure label={c.waiting} value={counted(cards.waiting)} to={messages("status:pending")} />
      )}
      <Figure label={c.dead} value={counted(cards.dead)} tone={countOf(cards.dead) > 0 ? "dead" : ""} to={href(["dead"])} />
      <Figure label={c.blocked} value={counted(cards.blockedKeys)} tone={countOf(cards.blockedKeys) > 0 ? "retrying" : ""} to={href(["keys"])} />
      <Figure
        label={c.relays}
        value={cards.relays === undefined ? t.common.none : whole(cards.relays)}
        unit={cards.unownedShards ? c.unowned(cards.unownedShards) : ""}
        tone={cards.relays === 0 ? "dead" : cards.unownedShards ? "retrying" : ""}
        to={href(["relays"])}
      />
    </div>
  );
}

function Figure({ label, value, unit = "", tone = "", big, to }: { label: string; value: string; unit?: string; tone?: string; big?: boolean; to: string }) {
  return (
    <a class={big ? "figure big" : "figure"} href={to}>
      <span class="label">{label}</span>
      <span class={`value ${tone === "" ? "" : `tone-${tone}`}`}>
        {value}
        {unit && <span class="unit">{unit}</span>}
      </span>
    </a>
  );
}

function Charts({ range, children }: { range: string; children: ComponentChildren }) {
  const loaded = useLoad<Statistics>(of("statistics"), { window: range }, REFRESH[range]!);
  const data = loaded.data;
  const brush = (from: number, to: number) => go(messagesOf(from, to));
  const c = t.overview.charts;
  const common = { from: data ? Date.parse(data.from) : 0, stepMillis: data?.stepMillis ?? 1000, brush, hrefOf: messagesOf };
  const line = (label: string, points: Points | undefined, words: (value: number) => string): Line => ({ label, points: points ?? [], words });
  return (
    <section class="stack" aria-label={t.overview.charts.window}>
      <div class="line">
        <Segments label={c.window} options={Object.entries(t.overview.windows)} value={range} pick={(name) => goWith({ window: name === "15m" ? undefined : name }, true)} />
        <span class="muted small">{c.brush}</span>
      </div>
      {loaded.problem && !data && <Failure problem={loaded.problem} reload={loaded.reload} />}
      {loaded.slow && <Skeleton rows={5} />}
      {data && (
        <div class="columns">
          <Chart title={c.rates} {...common} lines={[line(c.in, data.series.in, (v) => `${rate(v)}/s`), line(c.out, data.series.out, (v) => `${rate(v)}/s`)]} />
          <Chart title={c.oldest} {...common} lines={[line(c.age, seconds(data.series.oldestMillis), (v) => span(v * 1000))]} />
        </div>
      )}
      {children}
      {data && (
        <div class="columns">
          <Chart
            title={c.delay}
            {...common}
            lines={[line(c.p50, data.series.delayP50Millis, delay), line(c.p99, data.series.delayP99Millis, delay)]}
            more={[line(c.p95, data.series.delayP95Millis, delay)]}
          />
          <Panel title={t.overview.topics} side={<a href={href(["topics"])}>{t.common.showAll}</a>}>
            <div class="body">
              <TopicBars topics={data.topics ?? []} />
            </div>
          </Panel>
        </div>
      )}
    </section>
  );
}

const seconds = (points: Points | undefined): Points => (points ?? []).map((point) => (point === null ? null : point / 1000));

function messagesOf(from: number, to: number): string {
  return href(["messages"], { filter: `created:${new Date(from).toISOString()}..${new Date(to).toISOString()}` });
}

function TopicBars({ topics }: { topics: NonNullable<Statistics["topics"]> }) {
  const failing = topics.filter((topic) => topic.failed > 0).sort((a, b) => b.failed - a.failed).slice(0, 6);
  if (failing.length === 0) return <p class="muted">{t.overview.noFailures}</p>;
  const most = failing[0]!.failed;
  return (
    <ul class="hbars">
      {failing.map((topic) => {
        const words = t.overview.failedOf(topic.failed, topic.failed + topic.out);
        return (
          <li class="hbar" key={`${topic.namespace}/${topic.topic}`}>
            <a class="cut" href={href(["messages"], { filter: filterOf({ ns: topic.namespace, topic: topic.topic, status: "retrying" }) })}>
              {topic.topic}
            </a>
            <Bar parts={[{ share: topic.failed / most, tone: "retrying" }]} label={words} />
            <span class="right">{words}</span>
          </li>
        );
      })}
    </ul>
  );
}

function Needs({ shown }: { shown: Overview }) {
  const blocked = countOf(shown.cards?.blockedKeys);
  return (
    <Panel title={t.overview.needs} side={shown.failures.length > 0 ? <a href={href(["dead"])}>{t.common.showAll}</a> : undefined}>
      {shown.failures.length === 0 && blocked === 0 ? (
        <div class="body muted">{t.overview.needsNothing}</div>
      ) : (
        <ul class="needs">
          {shown.failures.map((group) => (
            <Need key={`${group.namespace}/${group.topic}/${group.type}/${group.failure}`} group={group} />
          ))}
          {blocked > 0 && (
            <li class="need">
              <span class="count tone-retrying">
                <Icon name="clock" />
                {counted(shown.cards?.blockedKeys)}
              </span>
              <span class="what">{t.overview.blocked(counted(shown.cards?.blockedKeys))}</span>
              <a href={href(["keys"])}>{t.common.show}</a>
            </li>
          )}
        </ul>
      )}
    </Panel>
  );
}

function Need({ group }: { group: DeadGroup }) {
  const filter = groupFilter(group);
  void now.value;
  return (
    <li class="need">
      <span class="count tone-dead">
        <Icon name="cross" />
        {whole(group.count)}
        {group.atLeast && "+"}
      </span>
      <span class="what">
        <span>
          <strong>{group.topic}</strong> · {group.type} <span class="muted"> · <When at={group.last} /></span>
        </span>
        <span class="cause cut" title={group.sample?.error ?? group.failure}>
          {firstLine(group.failure)}
        </span>
      </span>
      <span class="buttons">
        {may("operator") && (
          <button type="button" class="button little" onClick={() => (bulkAsk.value = { action: "requeue", filter })}>
            {t.overview.requeue}
          </button>
        )}
        {may("operator") && group.sample && (
          <a class="button little" href={href(["messages", group.sample.id, "edit"])}>
            {t.overview.editOne}
          </a>
        )}
        <a class="button little" href={href(["messages"], { filter })}>
          {t.common.show}
        </a>
      </span>
    </li>
  );
}

function Recent({ entries }: { entries: AuditEntry[] }) {
  if (entries.length === 0) return <div class="body muted">{t.overview.noRecent}</div>;
  return (
    <ul class="trail">
      {entries.map((entry, at) => (
        <li key={entry.entry ?? at}>
          <span>
            <strong>{entry.by}</strong> · {entry.bulkId ? <a href={href(["bulk", entry.bulkId])}>{actionWords(entry.action)}</a> : actionWords(entry.action)} {entry.messageId && <Target entry={entry} />}
            <br />
            <span class="muted">{firstLine(entry.reason)}</span>
          </span>
          <span class="muted">
            <When at={entry.at} />
          </span>
        </li>
      ))}
    </ul>
  );
}
