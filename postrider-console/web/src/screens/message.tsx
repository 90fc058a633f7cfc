import { askMessages, askPost } from "../act";
import { api } from "../api";
import { command } from "../copy";
import { bytes, dateTime, firstLine, span } from "../format";
import { useLoad } from "../load";
import { useScreenKeys } from "../keys";
import { now } from "../live";
import { clock } from "../prefs";
import { go, goWith, href, place } from "../router";
import { may, of } from "../session";
import { t } from "../text";
import { timeline, type Moment } from "../timeline";
import type { Archived, Attempt, MessageDetail, Neighbours } from "../types";
import { Copy, Empty, Failure, Panel, Scroll, Skeleton, Status, Tabs, When } from "../ui/basics";
import { Icon, type IconName } from "../ui/icon";
import { Menu } from "../ui/menu";
import { Page } from "../ui/page";
import { PayloadView } from "../ui/payload";
import { actionWords, Trail } from "../ui/trail";
import { copyText } from "../copy";
import { say } from "../actions";
import { Neighbourhood } from "./neighbours";
import { lastList } from "./messages";

type Tab = keyof typeof t.detail.tabs;
const REFRESH_MILLIS = 3000;

export function MessageScreen({ id }: { id: string }) {
  const loaded = useLoad<MessageDetail>(of(`messages/${id}`), {}, REFRESH_MILLIS);
  const neighbours = useLoad<Neighbours>(loaded.data?.key === undefined ? undefined : of(`messages/${id}/neighbours`), {}, REFRESH_MILLIS * 2);
  const message = loaded.data;
  useListKeys(id);
  const missing = loaded.problem?.json;
  const archived = (missing?.archived ?? undefined) as Archived[] | undefined;
  return (
    <Page title={message ? `${message.topic} · ${message.type}` : t.detail.title} {...(message?.key !== undefined ? { shows: `${t.common.key} ${message.key}` } : {})}>
      {loaded.slow && <Skeleton rows={10} />}
      {!message && missing?.status === 404 && (archived?.length ? <InArchive entry={archived[0]!} reload={loaded.reload} /> : <Gone id={id} />)}
      {!message && loaded.problem && missing?.status !== 404 && <Failure problem={loaded.problem} reload={loaded.reload} />}
      {message && (
        <>
          <Head message={message} reload={loaded.reload} />
          {neighbours.data?.blockedBy && neighbours.data.blockedBy !== id && message.status !== "DELIVERED" && (
            <p class="notice warn">
              <span class="grow">
                <strong>{t.detail.blockedBy}</strong>{" "}
                <a class="mono" href={href(["messages", neighbours.data.blockedBy])}>
                  {neighbours.data.blockedBy}
                </a>
                . {t.detail.blockedWords}
              </span>
            </p>
          )}
          <div class="columns wide-left">
            <Details message={message} neighbours={neighbours.data} />
            <Panel title={t.common.details}>
              <div class="body">
                <Facts message={message} />
              </div>
            </Panel>
          </div>
        </>
      )}
    </Page>
  );
}

/** j and k walk through the list that led here. */
function useListKeys(id: string): void {
  const at = lastList.ids.indexOf(id);
  const to = (next: number) => {
    const other = lastList.ids[next];
    if (at >= 0 && other) go(href(["messages", other]));
  };
  useScreenKeys({ j: () => to(at + 1), k: () => to(at - 1) });
}

function Head({ message, reload }: { message: MessageDetail; reload: () => void }) {
  const { id, topic } = message;
  const curl = `curl -s ${new URL(api(of(`messages/${id}`)), location.href).href}`;
  const copy = (text: string) => void copyText(text).then((done) => say(done ? t.common.copied : t.common.copyFailed));
  return (
    <div class="detail-head">
      <Status of={message} />
      <span class="id">
        {id}
        <Copy text={id} />
      </span>
      <span class="grow" />
      <span class="buttons">
        {may("operator") && message.status === "DEAD" && (
          <>
            <button type="button" class="button" onClick={() => askMessages("discard", [id], topic, reload)}>
              {t.detail.discard}
            </button>
            <a class="button" href={href(["messages", id, "edit"])}>
              {t.detail.edit}
            </a>
            <button type="button" class="button main" onClick={() => askMessages("requeue", [id], topic, reload)}>
              {t.detail.requeue}
            </button>
          </>
        )}
        {may("operator") && message.status === "DELIVERED" && (
          <button type="button" class="button" onClick={() => askMessages("replay", [id], topic, reload)}>
            {t.detail.replay}
          </button>
        )}
        <Menu
          label={t.common.copy}
          items={[
            { text: t.common.asCommand, run: () => copy(command("messages", "show", id)) },
            { text: t.common.asCurl, run: () => copy(curl) },
          ]}
        />
      </span>
    </div>
  );
}

function Details({ message, neighbours }: { message: MessageDetail; neighbours: Neighbours | undefined }) {
  const asked = place.value.query.get("tab");
  const tab: Tab = asked !== null && Object.hasOwn(t.detail.tabs, asked) ? (asked as Tab) : "timeline";
  return (
    <Tabs label={t.detail.title} tabs={Object.entries(t.detail.tabs) as [Tab, string][]} value={tab} pick={(next) => goWith({ tab: next === "timeline" ? undefined : next }, true)}>
      {tab === "timeline" && <Timeline moments={timeline(message, now.value)} />}
      {tab === "payload" && <PayloadView payload={message.payload && { ...message.payload, ...(message.payloadBytes === undefined ? {} : { bytes: message.payloadBytes }) }} contentType={message.contentType} id={message.id} />}
      {tab === "headers" && <Headers headers={message.headers ?? {}} />}
      {tab === "attempts" && <Attempts attempts={message.attemptsList ?? []} />}
      {tab === "neighbours" && <Neighbourhood message={message} neighbours={neighbours} />}
      {tab === "audit" && ((message.audit ?? []).length === 0 ? <p class="empty muted">{t.detail.noAudit}</p> : <Trail entries={message.audit!} caption={t.detail.tabs.audit} />)}
    </Tabs>
  );
}

const LOOK: Record<Moment["kind"], [IconName, string]> = {
  stored: ["down", "muted"],
  failed: ["retry", "retrying"],
  died: ["cross", "dead"],
  claimed: ["play", "pending"],
  delivered: ["check", "delivered"],
  due: ["clock", "pending"],
  operator: ["person", "accent"],
};

function Timeline({ moments }: { moments: Moment[] }) {
  return (
    <ol class="timeline">
      {moments.map((moment, at) => {
        const [icon, tone] = LOOK[moment.kind];
        const before = moments[at - 1];
        const other = clock.value === "utc" ? "local" : "utc";
        const text = dateTime(moment.at, clock.value);
        return (
          <li class="moment" key={`${moment.kind}-${moment.at}-${at}`}>
            <time class="time" dateTime={new Date(moment.at).toISOString()} title={`${text}\n${dateTime(moment.at, other)}`}>
              {before && sameDay(before.at, moment.at) ? text.slice(11, 23) : text.slice(5, 19)}
            </time>
            <span class={`rail tone-${tone}`}>
              <Icon name={icon} />
            </span>
            <div class="what">
              <strong>{wordsOf(moment)}</strong>{" "}
              <span class="gap">
                {[
                  before && t.detail.moments.after(span(moment.at - before.at)),
                  moment.everyMillis !== undefined && t.detail.moments.every(span(moment.everyMillis)),
                  moment.relay && t.detail.moments.on(moment.relay),
                  moment.tookMillis !== undefined && t.detail.moments.took(span(moment.tookMillis)),
                ]
                  .filter(Boolean)
                  .join(" · ")}
              </span>
              {moment.error && <div class="error">{firstLine(moment.error)}</div>}
              {moment.audit?.reason && <div class="muted">{moment.audit.reason}</div>}
            </div>
          </li>
        );
      })}
    </ol>
  );
}

const sameDay = (a: number, b: number) => new Date(a).toDateString() === new Date(b).toDateString();

function wordsOf(moment: Moment): string {
  const words = t.detail.moments;
  switch (moment.kind) {
    case "stored":
      return words.stored;
    case "failed":
      return words.failed(moment.from!, moment.to!);
    case "died":
      return words.died(moment.to);
    case "claimed":
      return words.claimed;
    case "delivered":
      return words.delivered(moment.to);
    case "due":
      return words.due(moment.to ?? 0).replace(" 0", "");
    case "operator":
      return words.operator(moment.audit!.by, actionWords(moment.audit!.action));
  }
}

function Headers({ headers }: { headers: Record<string, string> }) {
  const names = Object.keys(headers);
  if (names.length === 0) return <p class="empty muted">{t.detail.noHeaders}</p>;
  return (
    <Scroll label={t.detail.tabs.headers}>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">{t.detail.header}</th>
            <th scope="col">{t.detail.value}</th>
            <th scope="col"><span class="off-screen">{t.common.actions}</span></th>
          </tr>
        </thead>
        <tbody>
          {names.map((name) => (
            <tr key={name}>
              <th scope="row" class="mono nowrap">{name}</th>
              <td class="mono fluid cut" title={headers[name]}>{headers[name]}</td>
              <td><Copy text={headers[name]!} /></td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function Attempts({ attempts }: { attempts: Attempt[] }) {
  if (attempts.length === 0) return <p class="empty muted">{t.detail.noAttempts}</p>;
  return (
    <Scroll label={t.detail.tabs.attempts}>
      <table class="table">
        <thead>
          <tr>
            <th scope="col" class="number">{t.detail.attempt}</th>
            <th scope="col">{t.detail.ended}</th>
            <th scope="col" class="number">{t.detail.took}</th>
            <th scope="col" class="p1">{t.detail.relay}</th>
            <th scope="col">{t.common.error}</th>
          </tr>
        </thead>
        <tbody>
          {[...attempts].reverse().map((attempt) => (
            <tr key={`${attempt.attempt}-${attempt.ended}`}>
              <th scope="row" class="number">{attempt.attempt}</th>
              <td><When at={attempt.ended} /></td>
              <td class="number">{span(attempt.tookMillis)}</td>
              <td class="p1 nowrap">{attempt.relay}</td>
              <td class="mono fluid cut" title={attempt.error ?? attempt.failure}>{firstLine(attempt.error ?? attempt.failure)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function Facts({ message }: { message: MessageDetail }) {
  const f = t.detail.facts;
  const time = (at: string | undefined) => at && <When at={at} full />;
  const facts: [string, preact.ComponentChildren][] = [
    [f.topic, message.namespace ? `${message.namespace} / ${message.topic}` : message.topic],
    [f.type, message.version === undefined ? message.type : `${message.type}, ${f.version.toLowerCase()} ${message.version}`],
    [f.key, message.key === undefined ? <span class="muted">{t.detail.noKey}</span> : <a class="mono" href={href(["messages"], { filter: `key:${JSON.stringify(message.key)}` })}>{message.key}</a>],
    [f.tenant, message.tenant],
    [f.dedupe, message.dedupeKey && <span class="mono">{message.dedupeKey}</span>],
    [f.attempts, t.detail.attemptsOf(message.attempts, message.maxAttempts)],
    [f.stored, time(message.created)],
    [f.due, message.status === "PENDING" && time(message.due)],
    [f.delivered, time(message.delivered)],
    [f.died, time(message.died)],
    [f.claimedBy, message.claimedBy],
    [f.until, time(message.claimedUntil)],
    [f.failure, message.failure && <span class="mono">{message.failure}</span>],
    [f.defect, message.defect],
    [f.seq, String(message.seq)],
    [f.size, message.payloadBytes !== undefined && `${bytes(message.payloadBytes)}, ${message.contentType ?? ""}`],
  ];
  return (
    <dl class="facts">
      {facts
        .filter(([, value]) => value !== undefined && value !== false && value !== "")
        .map(([name, value]) => (
          <>
            <dt key={name}>{name}</dt>
            <dd>{value}</dd>
          </>
        ))}
    </dl>
  );
}

function Gone({ id }: { id: string }) {
  return (
    <div class="panel">
      <Empty title={t.detail.gone} text={t.detail.goneDo} cli={command("messages", "show", id)} />
    </div>
  );
}

function InArchive({ entry, reload }: { entry: Archived; reload: () => void }) {
  const restore = () =>
    askPost(`messages/${entry.id}/restore`, {}, { title: t.act.restore.title, sentence: t.act.restore.sentence, verb: t.act.restore.verb, cli: command("dead", "restore", entry.id) }, t.act.restored(entry.id), reload);
  return (
    <>
      <div class="notice">
        <span class="grow">{t.detail.archivedWords(t.detail.endings[entry.ended ?? ""] ?? entry.ended ?? "")}</span>
        {entry.replacedBy && (
          <a class="button little" href={href(["messages", entry.replacedBy])}>
            {t.detail.replacedBy}…
          </a>
        )}
        {may("operator") && entry.ended === "DISCARDED" && (
          <button type="button" class="button little" onClick={restore}>
            {t.detail.restore}
          </button>
        )}
      </div>
      <div class="columns wide-left">
        <Panel title={t.detail.tabs.payload}>
          <PayloadView payload={entry.payload} contentType={entry.contentType} />
        </Panel>
        <Panel title={t.common.details}>
          <dl class="facts body">
            <dt>{t.detail.facts.topic}</dt>
            <dd>{`${entry.namespace} / ${entry.topic}`}</dd>
            <dt>{t.detail.facts.type}</dt>
            <dd>{entry.type}</dd>
            <dt>{t.detail.facts.key}</dt>
            <dd>{entry.key ?? t.detail.noKey}</dd>
            <dt>{t.detail.facts.stored}</dt>
            <dd><When at={entry.created} full /></dd>
            <dt>{t.detail.archivedAt}</dt>
            <dd><When at={entry.archived} full /></dd>
            {entry.lastError && (
              <>
                <dt>{t.common.error}</dt>
                <dd class="mono">{firstLine(entry.lastError)}</dd>
              </>
            )}
          </dl>
        </Panel>
      </div>
    </>
  );
}
