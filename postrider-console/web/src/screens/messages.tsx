import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { act, type Row } from "./message-actions";
import { api } from "../api";
import { completionsOf } from "./known";
import { command } from "../copy";
import { firstLine, whole } from "../format";
import { useLoad } from "../load";
import { useScreenKeys } from "../keys";
import { paused } from "../live";
import { savedViews } from "../prefs";
import { goWith, href, place } from "../router";
import { may, of } from "../session";
import { t } from "../text";
import type { Message, Page as Rows } from "../types";
import { Cli, Empty, Failure, Scroll, Segments, Skeleton, Status, When } from "../ui/basics";
import { Dialog } from "../ui/dialog";
import { Menu, type MenuItem } from "../ui/menu";
import { Page } from "../ui/page";
import { Search } from "../ui/search";
import { withTerm } from "../filter";

const SIZE = 50;
const REFRESH_MILLIS = 3000;
const QUICK = ["", "status:pending", "status:retrying", "status:dead", "status:delivered", "status:pending age:>5m"];

/** The last list, so that a message's page knows its neighbours in it. */
export const lastList: { ids: string[]; address: string } = { ids: [], address: "" };

export function MessagesScreen() {
  const query = place.value.query;
  const filter = query.get("filter") ?? "";
  const order = query.get("order") === "oldest" ? "oldest" : "newest";
  const cursor = query.get("cursor") ?? undefined;
  const loaded = useLoad<Rows<Message>>(of("messages"), { filter, order, cursor, limit: SIZE });
  const follows = order === "newest" && cursor === undefined && loaded.data !== undefined;
  const fresh = useLoad<Rows<Message>>(follows ? of("messages") : undefined, { filter, order, limit: SIZE }, REFRESH_MILLIS);
  const view = useStill(loaded.data, fresh.data, `${filter} ${order} ${cursor ?? ""}`);
  const page = loaded.data;
  const known = completionsOf(view.rows);
  return (
    <Page title={t.frame.screens.messages} shows={t.list.shows(filter)}>
      <Search filter={filter} path={["messages"]} label={t.list.search} problem={loaded.problem} known={known} />
      <Bar filter={filter} order={order} />
      {loaded.problem && loaded.problem.json.code !== "filter-broken" && <Failure problem={loaded.problem} reload={loaded.reload} />}
      <section class="panel">
        {follows && view.rows.length > 0 && (
          <div class="fresh">
            {view.newer > 0 ? (
              <button type="button" class="fresh-button" onClick={view.show}>
                {t.list.fresh(view.newer >= SIZE ? `${SIZE}+` : whole(view.newer))}
              </button>
            ) : (
              t.list.upToDate
            )}
          </div>
        )}
        {loaded.slow && <Skeleton rows={12} />}
        {page && view.rows.length > 0 && (
          <List rows={view.rows} filter={filter} reload={loaded.reload} key={`${filter} ${order} ${cursor ?? ""}`} />
        )}
        {page && view.rows.length === 0 && <Nothing filter={filter} more={page.next !== undefined} />}
        {page && (page.next !== undefined || cursor !== undefined) && (
          <div class="pager">
            <span>{t.common.perPage(view.rows.length)}</span>
            {page.searched && <span>{t.common.searched(page.searched)}</span>}
            <span class="grow" />
            {cursor !== undefined && (
              <a class="button little" href={href(["messages"], { filter, order: query.get("order") ?? undefined })}>
                {order === "newest" ? t.common.first : t.list.oldest}
              </a>
            )}
            {page.next !== undefined && (
              <button type="button" class="button little" onClick={() => goWith({ cursor: page.next })}>
                {order === "newest" ? t.common.next : t.list.newest}
              </button>
            )}
          </div>
        )}
      </section>
      {view.rows.length > 0 && <Cli text={command("messages", "list", ...(filter === "" ? [] : ["--filter", filter]))} />}
    </Page>
  );
}

/** Keeps the rows where they are: newer ones are only announced, known ones are refreshed in place. */
function useStill(loaded: Rows<Message> | undefined, fresh: Rows<Message> | undefined, name: string) {
  const [shown, setShown] = useState<{ name: string; from?: Rows<Message>; rows: Message[] }>({ name, rows: [] });
  if (loaded && (shown.name !== name || shown.from !== loaded)) {
    setShown({ name, from: loaded, rows: loaded.items });
  }
  const rows = useMemo(() => {
    const latest = new Map((fresh?.items ?? []).map((message) => [message.id, message]));
    return shown.rows.map((message) => latest.get(message.id) ?? message);
  }, [shown.rows, fresh]);
  const top = shown.rows[0]?.seq ?? -1;
  const newer = fresh && loaded && shown.name === name ? fresh.items.filter((message) => message.seq > top).length : 0;
  const show = () => setShown({ ...shown, rows: fresh!.items });
  useEffect(() => {
    if (newer > 0 && shown.rows.length === 0 && !paused.value) show();
  }, [newer]);
  return { rows, newer: shown.rows.length === 0 ? 0 : newer, show };
}

function Bar({ filter, order }: { filter: string; order: "newest" | "oldest" }) {
  const [naming, setNaming] = useState(false);
  const exportOf = (format: string) => api(of("messages/export"), { filter, format, max: 10_000 });
  const views: MenuItem[] = savedViews.value.map((view) => ({ text: view.name, href: href(["messages"], { filter: view.filter }) }));
  if (filter !== "") views.push({ text: t.list.saveView, run: () => setNaming(true) });
  const saved = savedViews.value.find((view) => view.filter === filter);
  if (saved) views.push({ text: t.list.removeView(saved.name), run: () => (savedViews.value = savedViews.value.filter((view) => view !== saved)) });
  return (
    <div class="line">
      <nav class="quick" aria-label={t.list.quick}>
        {QUICK.map((one) => (
          <a key={one} class="chip" href={href(["messages"], { filter: one })} {...(one === filter ? { "aria-current": "true" as const } : {})}>
            {one === "" ? t.common.all : one.replace("status:", "").replace("age:", "")}
          </a>
        ))}
      </nav>
      <span class="grow" />
      <Segments
        label={t.list.order}
        options={[["newest", t.list.newest], ["oldest", t.list.oldest]]}
        value={order}
        pick={(next) => goWith({ order: next === "oldest" ? "oldest" : undefined, cursor: undefined })}
      />
      <Menu label={t.list.views} items={views}>
        {views.length === 0 && <p class="menu-item muted" tabIndex={-1}>{t.list.noViews}</p>}
      </Menu>
      <Menu
        label={t.list.export}
        items={[
          { text: t.list.exportJsonl, href: exportOf("jsonl"), download: true },
          { text: t.list.exportCsv, href: exportOf("csv"), download: true },
        ]}
      />
      {naming && <NameView filter={filter} close={() => setNaming(false)} />}
    </div>
  );
}

function NameView({ filter, close }: { filter: string; close: () => void }) {
  const [name, setName] = useState("");
  const save = (event: Event) => {
    event.preventDefault();
    savedViews.value = [...savedViews.value.filter((view) => view.name !== name), { name, filter }].slice(-30);
    close();
  };
  return (
    <Dialog close={close} narrow label="view-title">
      <form onSubmit={save}>
        <h2 id="view-title">{t.list.saveView}</h2>
        <code>{filter}</code>
        <div class="field">
          <label for="view-name">{t.list.saveName}</label>
          <input id="view-name" class="input" required maxLength={60} value={name} onInput={(event) => setName(event.currentTarget.value)} />
        </div>
        <div class="buttons end">
          <button type="button" class="button" onClick={close}>{t.common.cancel}</button>
          <button type="submit" class="button main">{t.list.saveView}</button>
        </div>
      </form>
    </Dialog>
  );
}

function Nothing({ filter, more }: { filter: string; more: boolean }) {
  if (more) return <Empty title={t.list.empty} text={t.common.emptyPage} />;
  if (filter === "") return <Empty title={t.list.emptyAll} text={t.list.emptyAllDo} cli="./postrider messages list" />;
  return <Empty title={t.list.empty} text={t.list.emptyDo} cli={command("messages", "list", "--filter", filter)} />;
}

function List({ rows, filter, reload }: { rows: Message[]; filter: string; reload: () => void }) {
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const [at, setAt] = useState(-1);
  const body = useRef<HTMLTableSectionElement>(null);
  const editable = may("operator");
  lastList.ids = rows.map((row) => row.id);
  lastList.address = href(["messages"], Object.fromEntries(place.value.query.entries()));
  const toggle = (id: string) => {
    const next = new Set(picked);
    if (!next.delete(id)) next.add(id);
    setPicked(next);
  };
  const move = (to: number) => {
    const next = Math.max(0, Math.min(rows.length - 1, to));
    setAt(next);
    body.current?.rows[next]?.querySelector<HTMLElement>("a.subject")?.focus();
  };
  useScreenKeys({
    j: () => move(at + 1),
    k: () => move(at - 1),
    ...(editable ? { x: () => rows[at] && toggle(rows[at].id) } : {}),
  });
  const chosen: Row[] = rows.filter((row) => picked.has(row.id));
  return (
    <>
      <Scroll label={t.list.caption}>
        <table class="table">
          <caption class="off-screen">{t.list.caption}</caption>
          <thead>
            <tr>
              {editable && (
                <th scope="col" class="pick">
                  <label>
                    <input
                      type="checkbox"
                      aria-label={t.list.pickAll}
                      checked={chosen.length === rows.length}
                      onChange={(event) => setPicked(new Set(event.currentTarget.checked ? rows.map((row) => row.id) : []))}
                    />
                  </label>
                </th>
              )}
              <th scope="col">{t.list.columns.state}</th>
              <th scope="col">{t.list.columns.message}</th>
              <th scope="col" class="p1">{t.list.columns.key}</th>
              <th scope="col" class="number p3">{t.list.columns.attempts}</th>
              <th scope="col" class="p2">{t.list.columns.error}</th>
              <th scope="col">{t.list.columns.age}</th>
            </tr>
          </thead>
          <tbody ref={body}>
            {rows.map((row, index) => (
              <tr key={row.id} class={[picked.has(row.id) ? "chosen" : "", index === at ? "at" : ""].join(" ").trim()}>
                {editable && (
                  <td class="pick">
                    <label>
                      <input type="checkbox" aria-label={t.list.pick(row.id)} checked={picked.has(row.id)} onChange={() => toggle(row.id)} />
                    </label>
                  </td>
                )}
                <td><Status of={row} /></td>
                <th scope="row" class="nowrap">
                  <a class="subject" href={href(["messages", row.id])} onFocus={() => setAt(index)}>
                    {row.topic} · {row.type}
                  </a>
                </th>
                <td class="p1 mono nowrap"><Key row={row} filter={filter} /></td>
                <td class="number p3">{row.attempts}</td>
                <td class="fluid cut p2 muted" title={row.lastError}>{row.status === "DELIVERED" ? "" : firstLine(row.lastError)}</td>
                <td><When at={row.created} /></td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {chosen.length > 0 && (
        <div class="selection" role="region" aria-label={t.list.selected(chosen.length)}>
          <strong>{t.list.selected(chosen.length)}</strong>
          {act(chosen, () => {
            setPicked(new Set());
            reload();
          })}
          <span class="grow" />
          <AllMatching filter={filter} />
          <button type="button" class="button plain little" onClick={() => setPicked(new Set())}>{t.list.unselect}</button>
        </div>
      )}
    </>
  );
}

function Key({ row, filter }: { row: Message; filter: string }) {
  if (row.key === undefined) return <span class="muted">{t.common.none}</span>;
  return (
    <a class="subject" href={href(["messages"], { filter: withTerm(filter, "key", row.key) })} title={row.key}>
      {row.key.length > 28 ? `${row.key.slice(0, 27)}…` : row.key}
    </a>
  );
}

function AllMatching({ filter }: { filter: string }) {
  return <Menu label={t.list.allMatching} items={act.all(filter)} />;
}
