import { useState } from "preact/hooks";
import { askPost } from "../act";
import { command } from "../copy";
import { firstLine } from "../format";
import { useLoad } from "../load";
import { goWith, place } from "../router";
import { may, of } from "../session";
import { t } from "../text";
import type { InboxLookup, Parked } from "../types";
import { Empty, Failure, Panel, Scroll, Skeleton, When } from "../ui/basics";
import { Page } from "../ui/page";

type Consumers = { available: boolean; items?: string[] };

export function InboxScreen() {
  const consumers = useLoad<Consumers>(of("inbox/consumers"), {}, 10_000);
  const names = consumers.data?.items ?? [];
  const asked = place.value.query.get("consumer");
  const consumer = asked ?? names[0] ?? "";
  if (consumers.data?.available === false) {
    return (
      <Page title={t.frame.screens.inbox}>
        <div class="panel">
          <Empty title={t.inbox.unavailable} text={t.inbox.unavailableDo} cli="./postrider schema migrate" />
        </div>
      </Page>
    );
  }
  return (
    <Page title={t.frame.screens.inbox} shows={t.inbox.shows}>
      {consumers.problem && !consumers.data && <Failure problem={consumers.problem} reload={consumers.reload} />}
      {consumers.slow && <Skeleton />}
      {consumers.data && (
        <>
          <div class="line">
            <label class="inline-field">
              {t.inbox.consumer}
              <select class="input" value={consumer} disabled={names.length === 0} onChange={(event) => goWith({ consumer: event.currentTarget.value, after: undefined })}>
                {names.length === 0 && <option value="">{t.inbox.consumersEmpty}</option>}
                {names.map((name) => (
                  <option key={name} value={name}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
          </div>
          <LookUp consumer={consumer} />
          <ParkedList consumer={consumer} />
        </>
      )}
    </Page>
  );
}

function LookUp({ consumer }: { consumer: string }) {
  const id = place.value.query.get("id") ?? "";
  const [text, setText] = useState(id);
  const found = useLoad<InboxLookup>(id !== "" && consumer !== "" ? of("inbox/lookup") : undefined, { consumer, id });
  const submit = (event: Event) => {
    event.preventDefault();
    goWith({ id: text.trim() });
  };
  return (
    <Panel title={t.inbox.lookup}>
      <form class="body line" onSubmit={submit}>
        <input class="input mono inbox-id" aria-label={t.inbox.id} placeholder={t.inbox.id} value={text} required onInput={(event) => setText(event.currentTarget.value)} />
        <button type="submit" class="button" disabled={consumer === ""}>
          {t.inbox.find}
        </button>
      </form>
      {found.problem && found.problem.json.status === 404 && <p class="body">{t.inbox.never}</p>}
      {found.problem && found.problem.json.status !== 404 && <Failure problem={found.problem} />}
      {found.data && <Found found={found.data} />}
    </Panel>
  );
}

function Found({ found }: { found: InboxLookup }) {
  const text = t.inbox.states[found.state] ?? found.state.toLowerCase();
  return (
    <p class="body" role="status">
      <strong>{text}</strong> {found.at && <When at={found.at} full />}
      {found.error && <span class="mono tone-dead"> {firstLine(found.error)}</span>}
    </p>
  );
}

function ParkedList({ consumer }: { consumer: string }) {
  const after = place.value.query.get("after") ?? undefined;
  const loaded = useLoad<{ items: Parked[]; next?: string | number }>(consumer === "" ? undefined : of("inbox/parked"), { consumer, after, limit: 50 }, 5000);
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const rows = loaded.data?.items ?? [];
  const chosen = rows.filter((row) => picked.has(row.messageId)).map((row) => row.messageId);
  const c = t.inbox.columns;
  const run = (verb: "release" | "discard") =>
    askPost(
      `inbox/${verb}`,
      { consumer, ids: [...chosen] },
      {
        title: t.inbox[verb](chosen.length).replace("…", ""),
        sentence: verb === "release" ? t.inbox.releaseAsk(chosen.length, consumer) : t.inbox.discardAsk(chosen.length, consumer),
        verb: t.inbox[verb](chosen.length).replace("…", ""),
        count: chosen.length,
        danger: verb === "discard",
        cli: command("inbox", verb, consumer, ...chosen.slice(0, 3)),
      },
      t.inbox[verb](chosen.length).replace("…", ""),
      () => {
        setPicked(new Set());
        loaded.reload();
      },
    );
  return (
    <Panel title={t.inbox.parked} side={chosen.length > 0 && may("operator") && (
      <span class="buttons">
        <button type="button" class="button little" onClick={() => run("release")}>{t.inbox.release(chosen.length)}</button>
        <button type="button" class="button little" onClick={() => run("discard")}>{t.inbox.discard(chosen.length)}</button>
      </span>
    )}>
      {loaded.slow && <Skeleton rows={4} />}
      {loaded.problem && <Failure problem={loaded.problem} reload={loaded.reload} />}
      {rows.length === 0 && !loaded.slow && !loaded.problem && <Empty title={t.inbox.parkedEmpty} text={t.inbox.parkedEmptyDo} cli={command("inbox", "parked", consumer === "" ? "CONSUMER" : consumer)} />}
      {rows.length > 0 && (
        <Scroll label={t.inbox.caption}>
          <table class="table">
            <caption class="off-screen">{t.inbox.caption}</caption>
            <thead>
              <tr>
                {may("operator") && <th scope="col" class="pick"><span class="off-screen">{t.common.actions}</span></th>}
                <th scope="col">{c.id}</th>
                <th scope="col" class="p2">{c.reason}</th>
                <th scope="col" class="number p1">{c.attempts}</th>
                <th scope="col">{c.at}</th>
                <th scope="col" class="p1">{c.error}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.place} class={picked.has(row.messageId) ? "chosen" : ""}>
                  {may("operator") && (
                    <td class="pick">
                      <label>
                        <input
                          type="checkbox"
                          aria-label={t.list.pick(row.messageId)}
                          checked={picked.has(row.messageId)}
                          onChange={() => {
                            const next = new Set(picked);
                            if (!next.delete(row.messageId)) next.add(row.messageId);
                            setPicked(next);
                          }}
                        />
                      </label>
                    </td>
                  )}
                  <th scope="row" class="nowrap">
                    <span class="mono">{row.messageId}</span>
                    {row.topic && <span class="muted"> · {row.topic}</span>}
                  </th>
                  <td class="p2 nowrap">{t.inbox.reasons[row.reason ?? ""] ?? row.reason}</td>
                  <td class="number p1">{row.attempts}</td>
                  <td><When at={row.parkedAt} /></td>
                  <td class="fluid cut mono p1" title={row.error}>{firstLine(row.error)}</td>
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
