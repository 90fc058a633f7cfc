import { askPost } from "../act";
import { command } from "../copy";
import { firstLine, span } from "../format";
import { useLoad } from "../load";
import { now } from "../live";
import { may, of } from "../session";
import { edgePath, layout, NODE, type PlacedEdge } from "../saga-layout";
import { t } from "../text";
import type { JournalEntry, SagaDetail } from "../types";
import { Copy, Failure, Panel, Scroll, Skeleton, When } from "../ui/basics";
import { Page } from "../ui/page";
import { PayloadView } from "../ui/payload";
import { drawn, failureText, SagaState, stateWords, stepState } from "../ui/saga-state";
import { Trail } from "../ui/trail";

type Verb = "retry" | "skip" | "compensate" | "cancel";
const ENDED = ["COMPLETED", "COMPENSATED", "ROLLED_BACK"];

export function SagaScreen({ id }: { id: string }) {
  const loaded = useLoad<SagaDetail>(of(`sagas/${id}`), {}, 2000);
  const saga = loaded.data;
  return (
    <Page title={saga?.definition ?? t.frame.screens.sagas} {...(saga?.businessKey ? { shows: saga.businessKey } : {})}>
      {loaded.slow && <Skeleton rows={10} />}
      {loaded.problem && !saga && <Failure problem={loaded.problem} reload={loaded.reload} />}
      {saga && (
        <>
          <Head saga={saga} reload={loaded.reload} />
          {saga.failure && <p class="notice bad"><span class="grow mono">{failureText(saga)}</span></p>}
          {saga.graph && saga.graph.nodes.length > 0 && (
            <Panel title={t.sagas.graph}>
              <Graph saga={saga} />
            </Panel>
          )}
          <Panel title={t.sagas.trail}>
            <Journal saga={saga} />
          </Panel>
          <div class="columns">
            <Panel title={t.sagas.context}>
              {saga.context === undefined ? <p class="body muted">{t.sagas.noContext}</p> : <PayloadView payload={{ text: saga.context }} />}
            </Panel>
            <Panel title={t.sagas.audit}>
              {(saga.audit ?? []).length === 0 ? <p class="body muted">{t.sagas.noAudit}</p> : <Trail entries={saga.audit!} caption={t.sagas.audit} />}
            </Panel>
          </div>
        </>
      )}
    </Page>
  );
}

function Head({ saga, reload }: { saga: SagaDetail; reload: () => void }) {
  const step = saga.journal?.findLast((entry) => drawn(entry.status) !== "done")?.step ?? "";
  const run = (verb: Verb) => {
    const words = t.sagas.ask[verb];
    askPost(
      `sagas/${saga.id}/${verb}`,
      verb === "skip" ? { step } : {},
      { title: words.title, sentence: words.sentence(step), verb: words.verb, danger: verb === "cancel", cli: command("sagas", verb, saga.id, ...(verb === "skip" ? ["--step", step] : [])) },
      t.sagas.done[verb],
      reload,
    );
  };
  return (
    <div class="detail-head">
      <SagaState state={saga.status} />
      <span class="id">
        {saga.id}
        <Copy text={saga.id} />
      </span>
      <span class="muted small">
        {t.sagas.columns.created} <When at={saga.created} /> · {t.sagas.columns.updated} <When at={saga.updated} />
      </span>
      <span class="grow" />
      {may("operator") && !ENDED.includes(saga.status) && (
        <span class="buttons">
          {saga.pivotPassed ? (
            <button type="button" class="button" onClick={() => run("compensate")}>{t.sagas.compensate}</button>
          ) : (
            <button type="button" class="button" onClick={() => run("cancel")}>{t.sagas.cancel}</button>
          )}
          {step !== "" && <button type="button" class="button" onClick={() => run("skip")}>{t.sagas.skip}</button>}
          <button type="button" class={saga.status === "STUCK" ? "button main" : "button"} onClick={() => run("retry")}>{t.sagas.retry}</button>
        </span>
      )}
    </div>
  );
}

function Graph({ saga }: { saga: SagaDetail }) {
  const picture = layout(saga.graph!.nodes, saga.graph!.edges);
  return (
    <div class="graph" tabIndex={0} role="region" aria-label={t.sagas.graphWords}>
      <svg width={picture.width} height={picture.height} viewBox={`0 0 ${picture.width} ${picture.height}`} role="group" aria-label={t.sagas.graph}>
        <defs>
          {["", "back"].map((kind) => (
            <marker key={kind} id={`arrow-${kind}`} viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse">
              <path class={`arrow ${kind}`} d="M0 0l8 4-8 4z" />
            </marker>
          ))}
        </defs>
        {picture.edges.map((edge) => (
          <Edge key={`${edge.from.id}-${edge.to.id}`} edge={edge} />
        ))}
        {picture.nodes.map((node) => {
          const back = node.direction === "BACK";
          const state = stepState(saga, node);
          const name = t.sagas.node(node.step, back, stateWords(state));
          return (
            <g key={node.id} class={`node ${drawn(state)} ${back ? "back" : ""}`} transform={`translate(${node.x} ${node.y})`} tabIndex={0} role="img" aria-label={name}>
              <title>{name}</title>
              <rect width={NODE.width} height={NODE.height} rx="6" />
              <text x="12" y="20">{clip(back ? t.sagas.undo(node.step) : node.step, 20)}</text>
              <text x="12" y="37" class="state">{stateWords(state)}</text>
            </g>
          );
        })}
      </svg>
    </div>
  );
}

/** How long a step took or has taken so far; unknown when its saga ended before it did. */
function took(entry: JournalEntry, ended: boolean): string {
  if (!entry.started || (ended && !entry.finished)) return t.common.none;
  return span((entry.finished ? Date.parse(entry.finished) : now.value) - Date.parse(entry.started));
}

const clip = (text: string, most: number) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

function Edge({ edge }: { edge: PlacedEdge }) {
  return <path class={edge.back ? "edge back" : "edge"} d={edgePath(edge)} marker-end={`url(#arrow-${edge.back ? "back" : ""})`} />;
}

function Journal({ saga }: { saga: SagaDetail }) {
  const entries = saga.journal ?? [];
  return (
    <Scroll label={t.sagas.trail}>
      <table class="table">
        <caption class="off-screen">{t.sagas.trail}</caption>
        <thead>
          <tr>
            <th scope="col">{t.sagas.step}</th>
            <th scope="col">{t.common.state}</th>
            <th scope="col" class="p1">{t.sagas.direction}</th>
            <th scope="col" class="number p1">{t.sagas.attempts}</th>
            <th scope="col">{t.common.time}</th>
            <th scope="col" class="number p1">{t.sagas.took}</th>
            <th scope="col" class="p2">{t.common.error}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry, at) => (
            <tr key={`${entry.step}-${entry.direction}-${at}`}>
              <th scope="row" class="nowrap">{entry.step}</th>
              <td><SagaState state={stepState(saga, entry)} /></td>
              <td class="p1">{entry.direction === "BACK" ? t.sagas.back : t.sagas.forward}</td>
              <td class="number p1">{entry.attempts ?? t.common.none}</td>
              <td><When at={entry.started} /></td>
              <td class="number p1">{took(entry, ENDED.includes(saga.status))}</td>
              <td class="fluid cut mono p2" title={entry.error}>{firstLine(entry.error)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
