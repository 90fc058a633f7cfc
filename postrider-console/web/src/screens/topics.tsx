import { useState } from "preact/hooks";
import { askPost } from "../act";
import { post } from "../api";
import { command } from "../copy";
import { filterOf } from "../filter";
import { counted, countOf, firstLine, rate, span } from "../format";
import { useLoad } from "../load";
import { now } from "../live";
import { href } from "../router";
import { may, of } from "../session";
import { t } from "../text";
import type { Page as Rows, Topic } from "../types";
import { Empty, Failure, Scroll, Skeleton, Toned } from "../ui/basics";
import { asProblem } from "../ui/dialog";
import { Page } from "../ui/page";

export function TopicsScreen() {
  const loaded = useLoad<Rows<Topic>>(of("topics"), {}, 3000);
  const items = loaded.data?.items;
  const c = t.topics.columns;
  return (
    <Page title={t.frame.screens.topics} {...(items ? { shows: t.topics.shows(items.length) } : {})}>
      {loaded.problem && !items && <Failure problem={loaded.problem} reload={loaded.reload} />}
      <section class="panel">
        {loaded.slow && <Skeleton />}
        {items?.length === 0 && <Empty title={t.topics.empty} text={t.topics.emptyDo} cli="./postrider topics list" />}
        {items && items.length > 0 && (
          <Scroll label={t.topics.caption}>
            <table class="table roomy">
              <caption class="off-screen">{t.topics.caption}</caption>
              <thead>
                <tr>
                  <th scope="col">{c.topic}</th>
                  <th scope="col">{c.gate}</th>
                  <th scope="col" class="number">{c.out}</th>
                  <th scope="col" class="number p1">{c.failed}</th>
                  <th scope="col" class="number p1">{c.pending}</th>
                  <th scope="col" class="number p2">{c.dead}</th>
                  {may("operator") && <th scope="col"><span class="off-screen">{t.common.actions}</span></th>}
                </tr>
              </thead>
              <tbody>
                {items.map((topic) => (
                  <Row key={`${topic.namespace}/${topic.topic}`} topic={topic} reload={loaded.reload} />
                ))}
              </tbody>
            </table>
          </Scroll>
        )}
      </section>
    </Page>
  );
}

function Gate({ topic }: { topic: Topic }) {
  if (topic.paused) return <Toned icon="pause" tone="pending" text={`${t.topics.paused}${topic.pausedBy ? ` ${t.topics.pausedBy(topic.pausedBy)}` : ""}`} />;
  if (topic.gate === "closed") {
    return <Toned icon="cross" tone="dead" text={topic.closedSince ? t.topics.closedSince(span(now.value - Date.parse(topic.closedSince))) : t.topics.closed} />;
  }
  return <Toned icon="check" tone="delivered" text={t.topics.open} />;
}

function Row({ topic, reload }: { topic: Topic; reload: () => void }) {
  const [probed, setProbed] = useState("");
  const which = { ns: topic.namespace, topic: topic.topic };
  const body = { namespace: topic.namespace, topic: topic.topic };
  const name = `${topic.namespace}/${topic.topic}`;
  const flip = () => {
    const verb = topic.paused ? "resume" : "pause";
    askPost(
      `topics/${verb}`,
      body,
      {
        title: t.topics[verb].replace("…", ""),
        sentence: topic.paused ? t.topics.resumeAsk(topic.topic) : t.topics.pauseAsk(topic.topic),
        verb: t.topics[verb].replace("…", ""),
        cli: command("topics", verb, name),
      },
      t.topics[verb].replace("…", ""),
      reload,
    );
  };
  const probe = async () => {
    setProbed(t.common.working);
    try {
      const answer = await post<{ reachable: boolean; detail?: string }>(of("topics/probe"), body);
      setProbed([answer.reachable ? t.topics.reachable : t.topics.unreachable, answer.detail].filter(Boolean).join(" "));
    } catch (error) {
      const { detail, title, do: todo } = asProblem(error).json;
      setProbed([detail ?? title, todo].filter(Boolean).join(" "));
    }
  };
  return (
    <tr>
      <th scope="row">
        <a class="subject" href={href(["messages"], { filter: filterOf(which) })}>
          <strong>{topic.topic}</strong>
        </a>
        {topic.namespace && <span class="muted"> · {topic.namespace}</span>}
        {topic.route && <div class="muted small">{topic.route}</div>}
        {topic.lastError && topic.gate === "closed" && <div class="mono small tone-dead">{firstLine(topic.lastError)}</div>}
        {probed && <div class="small" role="status">{probed}</div>}
      </th>
      <td><Gate topic={topic} /></td>
      <td class="number">{rate(topic.outPerSecond)}{topic.outPerSecond !== undefined && t.topics.perSecond}</td>
      <td class={`number p1 ${topic.failedPerSecond ? "tone-retrying" : ""}`}>{rate(topic.failedPerSecond)}{topic.failedPerSecond !== undefined && t.topics.perSecond}</td>
      <td class="number p1"><a class="subject" href={href(["messages"], { filter: filterOf({ ...which, status: "pending" }) })}>{counted(topic.pending)}</a></td>
      <td class="number p2">
        <a class={countOf(topic.dead) > 0 ? "tone-dead" : "subject"} href={href(["dead"], { filter: filterOf(which) })}>{counted(topic.dead)}</a>
      </td>
      {may("operator") && (
        <td class="right nowrap">
          <span class="buttons">
            <button type="button" class="button little" onClick={() => void probe()}>{t.topics.probe}</button>
            <button type="button" class="button little" onClick={flip}>{topic.paused ? t.topics.resume : t.topics.pause}</button>
          </span>
        </td>
      )}
    </tr>
  );
}
