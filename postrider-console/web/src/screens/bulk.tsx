import { useState } from "preact/hooks";
import { askPost } from "../act";
import { say } from "../actions";
import { post, Problem } from "../api";
import { command } from "../copy";
import { counted, countOf, dateTime, firstLine, span, whole } from "../format";
import { useLoad } from "../load";
import { now } from "../live";
import { clock } from "../prefs";
import { goWith, href, place } from "../router";
import { may, of } from "../session";
import { t } from "../text";
import type { Bulk, BulkRow, Page as Rows } from "../types";
import { Bar, Cli, Empty, Failure, Panel, Scroll, Segments, Skeleton, Toned, When } from "../ui/basics";
import { asProblem } from "../ui/dialog";
import { Page } from "../ui/page";

const LOOK = {
  PREPARED: ["clock", "pending"],
  RUNNING: ["play", "accent"],
  PAUSED: ["pause", "retrying"],
  CANCELLED: ["cross", "muted"],
  DONE: ["check", "delivered"],
} as const;

function State({ bulk }: { bulk: Bulk }) {
  const [icon, tone] = LOOK[bulk.status as keyof typeof LOOK] ?? (["dot", "muted"] as const);
  return <Toned icon={icon} tone={tone} text={t.bulk.states[bulk.status] ?? bulk.status.toLowerCase()} />;
}

function Progress({ bulk }: { bulk: Bulk }) {
  const total = Math.max(1, countOf(bulk.expected));
  const handled = bulk.done + bulk.skipped + bulk.failed;
  return (
    <Bar
      parts={[
        { share: bulk.done / total, tone: "delivered" },
        { share: bulk.skipped / total, tone: "muted" },
        { share: bulk.failed / total, tone: "dead" },
      ]}
      label={`${whole(handled)} ${t.bulk.of(counted(bulk.expected))}`}
    />
  );
}

export function BulkScreen() {
  const loaded = useLoad<Rows<Bulk>>(of("bulk"), {}, 2000);
  const items = loaded.data?.items;
  const c = t.bulk.columns;
  return (
    <Page title={t.frame.screens.bulk} shows={t.bulk.shows(items?.filter((bulk) => bulk.status === "RUNNING").length ?? 0)}>
      {loaded.problem && !items && <Failure problem={loaded.problem} reload={loaded.reload} />}
      <section class="panel">
        {loaded.slow && <Skeleton />}
        {items?.length === 0 && <Empty title={t.bulk.empty} text={t.bulk.emptyDo} cli="./postrider bulk list" />}
        {items && items.length > 0 && (
          <Scroll label={t.bulk.caption}>
            <table class="table">
              <caption class="off-screen">{t.bulk.caption}</caption>
              <thead>
                <tr>
                  <th scope="col">{c.status}</th>
                  <th scope="col">{c.action}</th>
                  <th scope="col" class="p2">{c.filter}</th>
                  <th scope="col" class="p1">{c.by}</th>
                  <th scope="col" class="p1">{c.progress}</th>
                  <th scope="col">{c.started}</th>
                </tr>
              </thead>
              <tbody>
                {items.map((bulk) => (
                  <tr key={bulk.id}>
                    <td><State bulk={bulk} /></td>
                    <th scope="row" class="nowrap">
                      <a href={href(["bulk", bulk.id])}>
                        {t.bulk.verb[bulk.action] ?? bulk.action} {counted(bulk.expected)}
                      </a>
                    </th>
                    <td class="fluid cut mono p2" title={bulk.filter}>{bulk.filter}</td>
                    <td class="p1 nowrap">{bulk.by}</td>
                    <td class="p1 bulk-progress"><Progress bulk={bulk} /></td>
                    <td><When at={bulk.startedAt ?? bulk.cutOff} /></td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scroll>
        )}
      </section>
    </Page>
  );
}

export function BulkDetail({ id }: { id: string }) {
  const loaded = useLoad<Bulk>(of(`bulk/${id}`), {}, 1000);
  const [problem, setProblem] = useState<Problem | undefined>();
  const bulk = loaded.data;
  const verb = t.bulk.verb[bulk?.action ?? ""] ?? t.frame.screens.bulk;
  const run = async () => {
    try {
      setProblem(undefined);
      await post(of(`bulk/${id}/run`), {});
      say(t.bulk.states["RUNNING"]!);
      loaded.reload();
    } catch (error) {
      setProblem(asProblem(error));
    }
  };
  const stop = (what: "pause" | "cancel") =>
    askPost(
      `bulk/${id}/${what}`,
      {},
      {
        title: what === "pause" ? t.bulk.pauseTitle : t.bulk.cancelTitle,
        sentence: what === "pause" ? t.bulk.pauseAsk : t.bulk.cancelAsk,
        verb: what === "pause" ? t.bulk.pauseTitle : t.bulk.cancelTitle,
        danger: what === "cancel",
        cli: command("bulk", what, id),
      },
      what === "pause" ? t.bulk.paused : t.bulk.cancelled,
      loaded.reload,
    );
  return (
    <Page title={verb} {...(bulk ? { shows: bulk.filter } : {})}>
      {loaded.slow && <Skeleton />}
      {loaded.problem && !bulk && <Failure problem={loaded.problem} reload={loaded.reload} />}
      {problem && <Failure problem={problem} />}
      {bulk && (
        <>
          <div class="detail-head">
            <State bulk={bulk} />
            <span>
              {bulk.by}
              {bulk.reason && <span class="muted"> · “{firstLine(bulk.reason)}”</span>}
            </span>
            <span class="grow" />
            {may("operator") && (
              <span class="buttons">
                {(bulk.status === "PREPARED" || bulk.status === "PAUSED") && (
                  <button type="button" class="button main" onClick={() => void run()}>
                    {bulk.status === "PAUSED" ? t.bulk.resume : t.bulk.run}
                  </button>
                )}
                {bulk.status === "RUNNING" && <button type="button" class="button" onClick={() => stop("pause")}>{t.bulk.pause}</button>}
                {["PREPARED", "RUNNING", "PAUSED"].includes(bulk.status) && <button type="button" class="button" onClick={() => stop("cancel")}>{t.bulk.cancel}</button>}
              </span>
            )}
          </div>
          <Counts bulk={bulk} />
          <ResultRows bulk={bulk} />
          <Cli text={command("bulk", "show", id)} />
        </>
      )}
    </Page>
  );
}

function Counts({ bulk }: { bulk: Bulk }) {
  const handled = bulk.done + bulk.skipped + bulk.failed;
  const ended = bulk.status === "RUNNING" ? now.value : Date.parse(bulk.updatedAt ?? bulk.cutOff ?? "");
  return (
    <Panel label={t.bulk.columns.progress}>
      <div class="body progress">
        <p>
          <span class="big">{whole(handled)}</span> {t.bulk.of(counted(bulk.expected))}
          {bulk.startedAt && <span class="muted"> · {span(ended - Date.parse(bulk.startedAt))}</span>}
        </p>
        <Progress bulk={bulk} />
        <p class="line">
          <Toned icon="check" tone="delivered" text={`${whole(bulk.done)} ${t.bulk.done}`} />
          <Toned icon="dot" tone="muted" text={`${whole(bulk.skipped)} ${t.bulk.skipped}`} />
          <Toned icon="cross" tone={bulk.failed > 0 ? "dead" : "muted"} text={`${whole(bulk.failed)} ${t.bulk.failed}`} />
          {bulk.cutOff && <span class="muted small">{t.bulk.cutOff} {dateTime(Date.parse(bulk.cutOff), clock.value)}</span>}
        </p>
        {bulk.lastError && <p class="mono tone-dead">{firstLine(bulk.lastError)}</p>}
      </div>
    </Panel>
  );
}

function ResultRows({ bulk }: { bulk: Bulk }) {
  const result = place.value.query.get("result") ?? "";
  const after = place.value.query.get("after") ?? undefined;
  const loaded = useLoad<{ items: BulkRow[]; next?: number }>(of(`bulk/${bulk.id}/rows`), { result, after, limit: 50 }, bulk.status === "RUNNING" ? 3000 : 0);
  const rows = loaded.data?.items;
  return (
    <Panel
      title={t.bulk.rows}
      side={<Segments label={t.bulk.rows} options={Object.entries(t.bulk.rowFilter)} value={result} pick={(next) => goWith({ result: next, after: undefined }, true)} />}
    >
      {loaded.problem && <Failure problem={loaded.problem} reload={loaded.reload} />}
      {loaded.slow && <Skeleton rows={5} />}
      {rows?.length === 0 && <p class="empty muted">{t.bulk.noRows}</p>}
      {rows && rows.length > 0 && (
        <Scroll label={t.bulk.rows}>
          <table class="table">
            <thead>
              <tr>
                <th scope="col">{t.detail.title}</th>
                <th scope="col">{t.bulk.result}</th>
                <th scope="col">{t.common.error}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.seq}>
                  <th scope="row" class="mono nowrap"><a href={href(["messages", row.messageId])}>{row.messageId}</a></th>
                  <td><Toned icon={row.result === "DONE" ? "check" : row.result === "FAILED" ? "cross" : "dot"} tone={row.result === "DONE" ? "delivered" : row.result === "FAILED" ? "dead" : "muted"} text={t.bulk[row.result.toLowerCase() as "done"] ?? row.result} /></td>
                  <td class="fluid cut mono" title={row.error}>{firstLine(row.error)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      {loaded.data?.next !== undefined && (
        <div class="pager">
          <span class="grow" />
          <button type="button" class="button little" onClick={() => goWith({ after: loaded.data!.next })}>{t.common.more}</button>
        </div>
      )}
    </Panel>
  );
}
