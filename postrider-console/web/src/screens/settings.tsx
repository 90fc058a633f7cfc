import { useState } from "preact/hooks";
import { copyText } from "../copy";
import { say } from "../actions";
import { bytes, whole } from "../format";
import { useLoad } from "../load";
import { goWith, place } from "../router";
import { of, sources } from "../session";
import { t } from "../text";
import type { Finding, SettingsView } from "../types";
import { Cli, Failure, Scroll, Skeleton, Tabs, Toned } from "../ui/basics";
import { Page } from "../ui/page";

type Tab = "doctor" | "settings" | "schema";

const LEVELS = {
  bad: ["cross", "dead"],
  warn: ["warn", "retrying"],
  note: ["dot", "accent"],
  ok: ["check", "delivered"],
  skipped: ["dot", "muted"],
} as const;
const ORDER = Object.keys(LEVELS);

export function SettingsScreen() {
  const asked = place.value.query.get("tab");
  const tab: Tab = asked === "settings" || asked === "schema" ? asked : "doctor";
  const view = useLoad<SettingsView>(of("settings"));
  const doctor = useLoad<{ findings: Finding[] }>(of("doctor"));
  const tabs: [Tab, string][] = [
    ["doctor", t.settings.tabs.doctor],
    ["settings", t.settings.tabs.settings],
    ["schema", t.settings.tabs.schema],
  ];
  const bundle = () => {
    const text = JSON.stringify({ version: view.data?.version ?? sources.value?.version, settings: view.data?.settings, schema: view.data?.schema, doctor: doctor.data?.findings }, null, 2);
    void copyText(text).then((done) => say(done ? t.settings.bundled : t.common.copyFailed));
  };
  return (
    <Page
      title={t.frame.screens.settings}
      shows={`Postrider ${view.data?.version ?? sources.value?.version ?? ""} · ${t.settings.shows}`}
      side={
        <button type="button" class="button little p1" onClick={bundle} disabled={!view.data}>
          {t.settings.bundle}
        </button>
      }
    >
      {view.problem && <Failure problem={view.problem} reload={view.reload} />}
      <Tabs label={t.frame.screens.settings} tabs={tabs} value={tab} pick={(next) => goWith({ tab: next === "doctor" ? undefined : next }, true)}>
        {tab === "doctor" && <Doctor findings={doctor.data?.findings} problem={doctor.problem} slow={doctor.slow} reload={doctor.reload} />}
        {tab === "settings" && <Values view={view.data} />}
        {tab === "schema" && <Schema view={view.data} />}
      </Tabs>
      <Cli text="./postrider doctor" />
    </Page>
  );
}

function Doctor({ findings, problem, slow, reload }: { findings: Finding[] | undefined; problem: Parameters<typeof Failure>[0]["problem"] | undefined; slow: boolean; reload: () => void }) {
  if (slow) return <Skeleton />;
  if (problem) return <Failure problem={problem} reload={reload} />;
  if (!findings) return null;
  const level = (finding: Finding) => finding.level.toLowerCase() as keyof typeof LEVELS;
  const count = (name: string) => findings.filter((finding) => level(finding) === name).length;
  return (
    <>
      <div class="pager">
        <span>{t.settings.summary(count("bad"), count("warn"))}</span>
        <span class="grow" />
        <button type="button" class="button little" onClick={reload}>
          {t.settings.runAgain}
        </button>
      </div>
      {[...findings]
        .sort((a, b) => ORDER.indexOf(level(a)) - ORDER.indexOf(level(b)))
        .map((finding, at) => {
          const [icon, tone] = LEVELS[level(finding)] ?? LEVELS.skipped;
          return (
            <div class="finding" key={`${finding.check}-${at}`}>
              <Toned icon={icon} tone={tone} text={t.settings.levels[level(finding)] ?? finding.level} />
              <div>
                <strong>{finding.check}</strong>
                <p>{finding.found}</p>
                {finding.means && <p class="muted">{finding.means}</p>}
                {finding.do && <p>→ {finding.do}</p>}
              </div>
            </div>
          );
        })}
    </>
  );
}

function Values({ view }: { view: SettingsView | undefined }) {
  const [text, setText] = useState("");
  if (!view) return <Skeleton />;
  const rows = view.settings.filter((setting) => setting.name.toLowerCase().includes(text.toLowerCase()));
  return (
    <>
      <div class="pager">
        <input class="input audit-by" type="search" aria-label={t.settings.search} placeholder={t.settings.search} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </div>
      <Scroll label={t.settings.tabs.settings}>
        <table class="table">
          <thead>
            <tr>
              <th scope="col">{t.settings.name}</th>
              <th scope="col">{t.settings.value}</th>
              <th scope="col" class="p1">{t.settings.origin}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((setting) => (
              <tr key={setting.name}>
                <th scope="row" class="mono">{setting.name}</th>
                <td class="mono">{setting.value}</td>
                <td class="p1 muted">{setting.origin ?? t.common.none}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </>
  );
}

function Schema({ view }: { view: SettingsView | undefined }) {
  if (!view) return <Skeleton />;
  return (
    <>
      <Scroll label={t.settings.tabs.schema}>
        <table class="table">
          <thead>
            <tr>
              <th scope="col">{t.settings.part}</th>
              <th scope="col" class="number">{t.settings.version}</th>
              <th scope="col" class="number">{t.settings.expected}</th>
              <th scope="col">{t.common.state}</th>
            </tr>
          </thead>
          <tbody>
            {view.schema.map((part) => {
              const fits = String(part.version) === String(part.expected);
              return (
                <tr key={part.part}>
                  <th scope="row">{part.part}</th>
                  <td class="number">{part.version ?? t.common.none}</td>
                  <td class="number">{part.expected ?? t.common.none}</td>
                  <td><Toned icon={fits ? "check" : "warn"} tone={fits ? "delivered" : "retrying"} text={fits ? t.settings.fine : t.settings.differs} /></td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </Scroll>
      <Scroll label={t.settings.table}>
        <table class="table">
          <thead>
            <tr>
              <th scope="col">{t.settings.table}</th>
              <th scope="col" class="number">{t.settings.rows}</th>
              <th scope="col" class="number">{t.settings.size}</th>
            </tr>
          </thead>
          <tbody>
            {view.tables.map((table) => (
              <tr key={table.name}>
                <th scope="row" class="mono">{table.name}</th>
                <td class="number">{table.rows === undefined ? t.common.none : whole(table.rows)}</td>
                <td class="number">{bytes(table.bytes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </>
  );
}
