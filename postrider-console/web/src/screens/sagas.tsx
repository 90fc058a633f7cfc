import { command } from "../copy";
import { useLoad } from "../load";
import { goWith, href, place } from "../router";
import { of } from "../session";
import { t } from "../text";
import type { Page as Rows, Saga } from "../types";
import { Cli, Empty, Failure, Scroll, Skeleton, When } from "../ui/basics";
import { Page } from "../ui/page";
import { failureText, SagaState, stateWords } from "../ui/saga-state";
import { shortId } from "../format";

const definitions = new Set<string>();

export function SagasScreen() {
  const query = place.value.query;
  const status = query.get("status") ?? "";
  const definition = query.get("definition") ?? "";
  const cursor = query.get("cursor") ?? undefined;
  const loaded = useLoad<Rows<Saga> & { available?: boolean }>(of("sagas"), { status, definition, cursor, limit: 50 }, cursor === undefined ? 3000 : 0);
  const items = loaded.data?.items;
  for (const saga of items ?? []) if (definitions.size < 100) definitions.add(saga.definition);
  if (loaded.data?.available === false) {
    return (
      <Page title={t.frame.screens.sagas}>
        <div class="panel">
          <Empty title={t.sagas.unavailable} text={t.sagas.unavailableDo} cli="./postrider schema migrate" />
        </div>
      </Page>
    );
  }
  const filtered = status !== "" || definition !== "";
  return (
    <Page title={t.frame.screens.sagas} shows={t.sagas.shows(status)}>
      <div class="line">
        <select class="input" aria-label={t.sagas.status} value={status} onChange={(event) => goWith({ status: event.currentTarget.value, cursor: undefined })}>
          {t.sagas.statuses.map((one) => (
            <option key={one} value={one}>
              {one === "" ? t.sagas.anyStatus : stateWords(one)}
            </option>
          ))}
        </select>
        <select class="input" aria-label={t.sagas.definition} value={definition} onChange={(event) => goWith({ definition: event.currentTarget.value, cursor: undefined })}>
          <option value="">{t.sagas.anyDefinition}</option>
          {[...new Set([...definitions, ...(definition === "" ? [] : [definition])])].map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      </div>
      {loaded.problem && !items && <Failure problem={loaded.problem} reload={loaded.reload} />}
      <section class="panel">
        {loaded.slow && <Skeleton />}
        {items?.length === 0 && <Empty title={filtered ? t.sagas.emptyFiltered : t.sagas.empty} text={filtered ? t.list.emptyDo : t.sagas.emptyDo} cli="./postrider sagas list" />}
        {items && items.length > 0 && <Table items={items} />}
        {loaded.data?.next !== undefined && (
          <div class="pager">
            <span class="grow" />
            <button type="button" class="button little" onClick={() => goWith({ cursor: loaded.data!.next })}>{t.common.next}</button>
          </div>
        )}
      </section>
      {items && items.length > 0 && <Cli text={command("sagas", "list", ...(status === "" ? [] : ["--status", status]))} />}
    </Page>
  );
}

function Table({ items }: { items: Saga[] }) {
  const c = t.sagas.columns;
  return (
    <Scroll label={t.sagas.caption}>
      <table class="table">
        <caption class="off-screen">{t.sagas.caption}</caption>
        <thead>
          <tr>
            <th scope="col">{c.status}</th>
            <th scope="col">{c.saga}</th>
            <th scope="col" class="p1">{c.key}</th>
            <th scope="col" class="p2">{c.failure}</th>
            <th scope="col">{c.updated}</th>
            <th scope="col" class="p2">{c.created}</th>
          </tr>
        </thead>
        <tbody>
          {items.map((saga) => (
            <tr key={saga.id}>
              <td><SagaState state={saga.status} /></td>
              <th scope="row" class="nowrap"><a class="subject" href={href(["sagas", saga.id])}>{saga.definition} <span class="mono muted">{shortId(saga.id)}</span></a></th>
              <td class="p1 mono nowrap">{saga.businessKey ?? t.common.none}</td>
              <td class="fluid cut p2 muted" title={saga.failure?.type}>{failureText(saga)}</td>
              <td><When at={saga.updated} /></td>
              <td class="p2"><When at={saga.created} /></td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
