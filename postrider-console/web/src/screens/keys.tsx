import { filterOf } from "../filter";
import { counted, firstLine } from "../format";
import { useLoad } from "../load";
import { href } from "../router";
import { of } from "../session";
import { t } from "../text";
import type { BlockedKey, Page as Rows } from "../types";
import { Empty, Failure, Scroll, Skeleton, Status } from "../ui/basics";
import { Page } from "../ui/page";

export function KeysScreen() {
  const loaded = useLoad<Rows<BlockedKey>>(of("keys/blocked"), { limit: 200 }, 3000);
  const items = loaded.data?.items;
  const c = t.keys.columns;
  return (
    <Page title={t.frame.screens.keys} {...(items ? { shows: items.length === 0 ? t.keys.none : t.keys.shows(String(items.length)) } : {})}>
      {loaded.problem && !items && <Failure problem={loaded.problem} reload={loaded.reload} />}
      {items && items.length > 0 && <p class="muted">{t.keys.release}</p>}
      <section class="panel">
        {loaded.slow && <Skeleton />}
        {items?.length === 0 && <Empty title={t.keys.empty} text={t.keys.emptyDo} cli="./postrider topics blocked" />}
        {items && items.length > 0 && (
          <Scroll label={t.keys.caption}>
            <table class="table">
              <caption class="off-screen">{t.keys.caption}</caption>
              <thead>
                <tr>
                  <th scope="col">{c.key}</th>
                  <th scope="col" class="p1">{c.topic}</th>
                  <th scope="col">{c.blockedBy}</th>
                  <th scope="col" class="number">{c.waiting}</th>
                  <th scope="col" class="p2">{c.error}</th>
                </tr>
              </thead>
              <tbody>
                {items.map((key) => (
                  <tr key={`${key.namespace}/${key.topic}/${key.key}`}>
                    <th scope="row" class="mono">
                      <a class="subject" href={href(["messages"], { filter: filterOf({ ns: key.namespace, topic: key.topic, key: key.key }), order: "oldest" })}>{key.key}</a>
                    </th>
                    <td class="p1 nowrap">{key.topic}</td>
                    <td>
                      <a href={href(["messages", key.blockedBy])}>
                        <Status of={{ status: key.status ?? "DEAD", attempts: 1 }} />
                      </a>
                    </td>
                    <td class="number">{counted(key.waiting)}</td>
                    <td class="fluid cut p2 mono" title={key.error}>{firstLine(key.error)}</td>
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
