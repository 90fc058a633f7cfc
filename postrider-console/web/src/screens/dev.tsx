import { useState } from "preact/hooks";
import { say } from "../actions";
import { post, Problem } from "../api";
import { span, whole } from "../format";
import { useLoad } from "../load";
import { may, of } from "../session";
import { t } from "../text";
import type { DevState } from "../types";
import { Empty, Failure, Panel, Skeleton, Toned } from "../ui/basics";
import { asProblem } from "../ui/dialog";
import { Page } from "../ui/page";

export function DevScreen() {
  const loaded = useLoad<DevState>(of("dev"), {}, 2000);
  const [problem, setProblem] = useState<Problem | undefined>();
  const [latency, setLatency] = useState("");
  const [perSecond, setPerSecond] = useState("");
  const run = async (path: string, body: Record<string, unknown> | undefined, done: string) => {
    try {
      setProblem(undefined);
      await post(of(path), body);
      say(done);
      loaded.reload();
    } catch (error) {
      setProblem(asProblem(error));
    }
  };
  const data = loaded.data;
  const locked = !may("operator");
  return (
    <Page title={t.frame.screens.dev} shows={t.dev.shows}>
      {loaded.slow && <Skeleton />}
      {loaded.problem?.json.status === 404 && (
        <div class="panel">
          <Empty title={t.dev.unavailable} text={t.dev.unavailableDo} cli="./postrider dev" />
        </div>
      )}
      {loaded.problem && loaded.problem.json.status !== 404 && <Failure problem={loaded.problem} reload={loaded.reload} />}
      {problem && <Failure problem={problem} />}
      {data && (
        <div class="switches">
          <Panel title={t.dev.broker}>
            <div class="switch">
              {data.broker.broken ? <Toned icon="cross" tone="dead" text={t.dev.broken} /> : <Toned icon="check" tone="delivered" text={t.dev.working} />}
              <div class="buttons">
                <button type="button" class="button" disabled={locked} onClick={() => void run("dev/broker", { broken: !data.broker.broken }, data.broker.broken ? t.dev.done.restored : t.dev.done.broken)}>
                  {data.broker.broken ? t.dev.restore : t.dev.breakIt}
                </button>
              </div>
              <form
                class="field"
                onSubmit={(event) => {
                  event.preventDefault();
                  void run("dev/broker", { latencyMillis: Number(latency) }, t.dev.done.latency);
                }}
              >
                <label for="dev-latency">{t.dev.latency}</label>
                <div class="search-row">
                  <input id="dev-latency" class="input" inputMode="numeric" pattern="[0-9]+" required placeholder={String(data.broker.latencyMillis ?? 0)} value={latency} onInput={(event) => setLatency(event.currentTarget.value)} />
                  <button type="submit" class="button" disabled={locked}>{t.dev.setLatency}</button>
                </div>
                <span class="hint">{span(data.broker.latencyMillis ?? 0)}</span>
              </form>
            </div>
          </Panel>
          <Panel title={t.dev.traffic}>
            <form
              class="switch"
              onSubmit={(event) => {
                event.preventDefault();
                void run("dev/traffic", { perSecond: Number(perSecond) }, t.dev.done.traffic);
              }}
            >
              <p class="progress"><span class="big">{whole(data.traffic.perSecond)}</span></p>
              <div class="field">
                <label for="dev-traffic">{t.dev.perSecond}</label>
                <div class="search-row">
                  <input id="dev-traffic" class="input" inputMode="numeric" pattern="[0-9]+" required placeholder={String(data.traffic.perSecond)} value={perSecond} onInput={(event) => setPerSecond(event.currentTarget.value)} />
                  <button type="submit" class="button" disabled={locked}>{t.dev.setTraffic}</button>
                </div>
              </div>
            </form>
          </Panel>
          <Panel title={t.dev.poison}>
            <div class="switch">
              <p>{t.dev.poisonWords}</p>
              <div class="buttons">
                <button type="button" class="button" disabled={locked} onClick={() => void run("dev/poison", undefined, t.dev.done.poison)}>{t.dev.sendPoison}</button>
              </div>
            </div>
          </Panel>
          <Panel title={t.dev.relay}>
            <div class="switch">
              {data.relays.length === 0 && <p>{t.dev.noRelay}</p>}
              <div class="buttons">
                {data.relays.map((relay) => (
                  <button key={relay} type="button" class="button" disabled={locked} onClick={() => void run("dev/kill-relay", { id: relay }, t.dev.done.killed)}>
                    {t.dev.kill(relay)}
                  </button>
                ))}
                <button type="button" class="button" disabled={locked} onClick={() => void run("dev/start-relay", undefined, t.dev.done.started)}>{t.dev.start}</button>
              </div>
            </div>
          </Panel>
        </div>
      )}
    </Page>
  );
}
