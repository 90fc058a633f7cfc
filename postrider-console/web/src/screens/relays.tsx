import { askPost } from "../act";
import { command } from "../copy";
import { firstLine, rate, span, whole } from "../format";
import { useLoad } from "../load";
import { now } from "../live";
import { may, of } from "../session";
import { t } from "../text";
import type { Relay, Relays } from "../types";
import { Empty, Failure, Panel, Scroll, Skeleton, Toned, When } from "../ui/basics";
import { Menu } from "../ui/menu";
import { Page } from "../ui/page";

type Verb = "pause" | "resume" | "drain";
const VERBS: Verb[] = ["pause", "resume", "drain"];

function askRelay(verb: Verb, id: string | undefined, done: () => void): void {
  const words = t.relays.ask[verb];
  askPost(
    id === undefined ? `relays/${verb}` : `relays/${encodeURIComponent(id)}/${verb}`,
    {},
    { title: words.title, sentence: words.sentence(id ?? t.relays.all), verb: words.verb, cli: command("relays", verb, id ?? "--all") },
    t.relays.done[verb],
    done,
  );
}

export function RelaysScreen() {
  const loaded = useLoad<Relays>(of("relays"), {}, 2000);
  const data = loaded.data;
  const alive = data?.items.filter((relay) => relay.alive) ?? [];
  return (
    <Page title={t.frame.screens.relays} {...(data ? { shows: t.relays.shows(alive.length, data.shards.length) } : {})}>
      {loaded.problem && !data && <Failure problem={loaded.problem} reload={loaded.reload} />}
      {loaded.slow && <Skeleton />}
      {data && data.shards.length > 0 && <Strip data={data} />}
      {data && (
        <Panel
          title={t.relays.caption}
          side={
            may("operator") &&
            alive.length > 0 && (
              <span class="buttons">
                <button type="button" class="button little" onClick={() => askRelay("pause", undefined, loaded.reload)}>{t.relays.pauseAll}</button>
                <button type="button" class="button little" onClick={() => askRelay("resume", undefined, loaded.reload)}>{t.relays.resumeAll}</button>
              </span>
            )
          }
        >
          {data.items.length === 0 ? <Empty title={t.relays.empty} text={t.relays.emptyDo} cli="./postrider relay" /> : <Table items={[...data.items].sort((a, b) => a.id.localeCompare(b.id))} reload={loaded.reload} />}
        </Panel>
      )}
    </Page>
  );
}

/** A row for each owner: a shard is filled where it belongs, so that a move shows as a move. */
function Strip({ data }: { data: Relays }) {
  const shards = [...data.shards].sort((a, b) => a.shard - b.shard);
  const live = data.items.filter((relay) => relay.alive).map((relay) => relay.id);
  const owners = [...new Set([...live, ...shards.flatMap((shard) => (shard.owner ? [shard.owner] : []))])].sort();
  const lost = shards.filter((shard) => !shard.owner);
  return (
    <Panel title={t.relays.strip}>
      <div class="strip">
        {owners.map((owner) => {
          const own = shards.filter((shard) => shard.owner === owner).length;
          return (
            <div class="strip-row" key={owner}>
              <span class="cut" title={owner}>{owner}</span>
              <div class="strip-cells" role="img" aria-label={t.relays.stripWords(owner, own)}>
                {shards.map((shard) => (
                  <span key={shard.shard} class={shard.owner === owner ? "strip-cell own" : "strip-cell"} title={`${shard.shard}`} />
                ))}
              </div>
            </div>
          );
        })}
        {lost.length > 0 && (
          <div class="strip-row">
            <span class="tone-dead">{t.relays.nobody}</span>
            <div class="strip-cells" role="img" aria-label={t.relays.stripWords(t.relays.nobody, lost.length)}>
              {shards.map((shard) => (
                <span key={shard.shard} class={shard.owner ? "strip-cell" : "strip-cell lost"} title={`${shard.shard}`} />
              ))}
            </div>
          </div>
        )}
        <div class="strip-row" aria-hidden="true">
          <span />
          <span class="strip-axis">
            <span>{shards[0]?.shard}</span>
            <span>{shards.at(-1)?.shard}</span>
          </span>
        </div>
      </div>
    </Panel>
  );
}

function State({ relay }: { relay: Relay }) {
  const state = relay.alive ? (relay.state ?? "RUNNING") : "GONE";
  const text = t.relays.states[state] ?? state.toLowerCase();
  if (!relay.alive) return <Toned icon="cross" tone="muted" text={text} />;
  if (state === "RUNNING") return <Toned icon="check" tone="delivered" text={text} />;
  if (state === "STALLED") return <Toned icon="warn" tone="dead" text={text} />;
  return <Toned icon="pause" tone="pending" text={text} />;
}

function Lease({ relay }: { relay: Relay }) {
  if (!relay.until) return <span class="muted">{t.common.none}</span>;
  const left = Date.parse(relay.until) - now.value;
  return <span class={left < 0 ? "tone-retrying" : ""}>{left < 0 ? t.relays.leaseOver(span(-left)) : t.relays.leaseIn(span(Math.max(1000, left)))}</span>;
}

function Table({ items, reload }: { items: Relay[]; reload: () => void }) {
  const c = t.relays.columns;
  return (
    <Scroll label={t.relays.caption}>
      <table class="table roomy">
        <caption class="off-screen">{t.relays.caption}</caption>
        <thead>
          <tr>
            <th scope="col">{c.relay}</th>
            <th scope="col">{c.state}</th>
            <th scope="col" class="p2">{c.beat}</th>
            <th scope="col" class="number">{c.shards}</th>
            <th scope="col" class="number p2">{c.inFlight}</th>
            <th scope="col" class="number p1">{c.delivered}</th>
            <th scope="col" class="number p3">{c.failed}</th>
            <th scope="col" class="p3">{c.joined}</th>
            {may("operator") && <th scope="col"><span class="off-screen">{t.common.actions}</span></th>}
          </tr>
        </thead>
        <tbody>
          {items.map((relay) => (
            <tr key={relay.id}>
              <th scope="row">
                <strong>{relay.id}</strong>
                {relay.here && <span class="muted"> · {t.relays.here}</span>}
                <div class="muted small">{[relay.host, relay.version].filter(Boolean).join(" · ")}</div>
                {relay.lastError && <div class={relay.state === "STALLED" ? "mono small tone-dead" : "mono small muted"}>{firstLine(relay.lastError)}</div>}
              </th>
              <td>
                <State relay={relay} />
                {relay.wanted && relay.wanted !== "RUN" && <div class="muted small">{t.relays.wanted(t.relays.wants[relay.wanted]!, relay.wantedBy)}</div>}
              </td>
              <td class="p2 nowrap"><Lease relay={relay} /></td>
              <td class="number">{relay.shards ? whole(relay.shards.length) : t.common.none}</td>
              <td class="number p2">{relay.inFlight === undefined ? t.common.none : whole(relay.inFlight)}</td>
              <td class="number p1">{rate(relay.delivered)}</td>
              <td class="number p3">{rate(relay.failed)}</td>
              <td class="p3"><When at={relay.joined} /></td>
              {may("operator") && (
                <td class="right">
                  {relay.alive && (
                    <Menu little label={t.common.actions} items={VERBS.map((verb) => ({ text: t.relays[verb], run: () => askRelay(verb, relay.id, reload) }))} />
                  )}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
