import { useState } from "preact/hooks";
import { command } from "../copy";
import { useLoad } from "../load";
import { go, goWith, href, place } from "../router";
import { of } from "../session";
import { t } from "../text";
import type { AuditEntry, Page as Rows } from "../types";
import { Cli, Empty, Failure, Skeleton } from "../ui/basics";
import { Page } from "../ui/page";
import { Trail } from "../ui/trail";

export function AuditScreen() {
  const query = place.value.query;
  const by = query.get("by") ?? "";
  const messageId = query.get("messageId") ?? "";
  const cursor = query.get("cursor") ?? undefined;
  const [name, setName] = useState(by);
  const [id, setId] = useState(messageId);
  const loaded = useLoad<Rows<AuditEntry>>(of("audit"), { by, messageId, cursor, limit: 50 }, cursor === undefined ? 5000 : 0);
  const items = loaded.data?.items;
  const filtered = by !== "" || messageId !== "";
  const submit = (event: Event) => {
    event.preventDefault();
    go(href(["audit"], { by: name.trim(), messageId: id.trim() }));
  };
  return (
    <Page title={t.frame.screens.audit} shows={t.audit.shows}>
      <form class="line" onSubmit={submit}>
        <label class="inline-field">
          {t.audit.by}
          <input class="input audit-by" value={name} onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        <label class="inline-field">
          {t.audit.message}
          <input class="input mono inbox-id" value={id} onInput={(event) => setId(event.currentTarget.value)} />
        </label>
        <button type="submit" class="button">{t.audit.filter}</button>
        {filtered && <a class="button" href={href(["audit"])}>{t.list.clear}</a>}
      </form>
      {loaded.problem && <Failure problem={loaded.problem} reload={loaded.reload} />}
      <section class="panel">
        {loaded.slow && <Skeleton />}
        {items?.length === 0 && <Empty title={filtered ? t.audit.emptyFiltered : t.audit.empty} text={t.audit.emptyDo} cli="./postrider audit" />}
        {items && items.length > 0 && <Trail entries={items} caption={t.audit.caption} />}
        {(loaded.data?.next !== undefined || cursor !== undefined) && (
          <div class="pager">
            <span class="grow" />
            {cursor !== undefined && <a class="button little" href={href(["audit"], { by, messageId })}>{t.common.first}</a>}
            {loaded.data?.next !== undefined && (
              <button type="button" class="button little" onClick={() => goWith({ cursor: loaded.data!.next })}>{t.common.next}</button>
            )}
          </div>
        )}
      </section>
      {items && items.length > 0 && <Cli text={command("audit", ...(by === "" ? [] : ["--by", by]))} />}
    </Page>
  );
}
