import { askPost } from "../act";
import { span, timeOfDay } from "../format";
import { useLoad } from "../load";
import { now } from "../live";
import { clock } from "../prefs";
import { may, of } from "../session";
import { t } from "../text";
import type { Alert, Alerts } from "../types";
import { Empty, Failure, Panel, Skeleton, Toned, When } from "../ui/basics";
import { Markdown } from "../ui/markdown";
import { Page } from "../ui/page";

export function AlertsScreen() {
  const loaded = useLoad<Alerts>(of("alerts"), {}, 5000);
  const items = [...(loaded.data?.items ?? [])].sort((a, b) => Number(b.firing) - Number(a.firing));
  const history = loaded.data?.history ?? [];
  return (
    <Page title={t.frame.screens.alerts} {...(loaded.data ? { shows: t.alerts.shows(items.filter((alert) => alert.firing).length) } : {})}>
      {loaded.problem && !loaded.data && <Failure problem={loaded.problem} reload={loaded.reload} />}
      {loaded.slow && <Skeleton />}
      {loaded.data && (
        <>
          {loaded.data.watching === false && <p class="notice">{t.alerts.notWatching}</p>}
          <section class="panel" aria-label={t.frame.screens.alerts}>
            {items.length === 0 ? (
              <Empty title={t.alerts.empty} text={t.alerts.emptyDo} cli="./postrider status" />
            ) : (
              items.map((alert) => <Rule key={alert.rule} alert={alert} reload={loaded.reload} />)
            )}
          </section>
          <Panel title={t.alerts.history}>
            {history.length === 0 ? (
              <p class="body muted">{t.alerts.noHistory}</p>
            ) : (
              <ul class="trail">
                {history.map((entry, at) => (
                  <li key={`${entry.rule}-${entry.at}-${at}`}>
                    <span>
                      <strong>{entry.rule}</strong> {t.alerts.states[entry.state] ?? entry.state.toLowerCase()} <span class="muted">{entry.text}</span>
                    </span>
                    <When at={entry.at} />
                  </li>
                ))}
              </ul>
            )}
          </Panel>
        </>
      )}
    </Page>
  );
}

function Rule({ alert, reload }: { alert: Alert; reload: () => void }) {
  const snooze = () =>
    askPost(
      `alerts/${encodeURIComponent(alert.rule)}/snooze`,
      {},
      {
        title: t.alerts.snoozeTitle,
        sentence: t.alerts.snoozeAsk(alert.rule),
        verb: t.alerts.snoozeVerb,
        fields: [{ name: "minutes", label: t.alerts.minutes, value: "60", numeric: true }],
      },
      t.alerts.snoozedDone,
      reload,
    );
  const bad = alert.severity.toLowerCase() === "critical" || alert.severity.toLowerCase() === "page";
  return (
    <div class="finding">
      {alert.firing ? <Toned icon="warn" tone={bad ? "dead" : "retrying"} text={t.alerts.firing} /> : <Toned icon="check" tone="muted" text={t.alerts.quiet} />}
      <div class="stack tight">
        <div class="line">
          <strong>{alert.rule}</strong>
          {alert.firing && alert.since && <span class="muted">{t.alerts.since(span(now.value - Date.parse(alert.since)))}</span>}
          {alert.snoozedUntil && <span class="muted">{t.alerts.snoozed(timeOfDay(Date.parse(alert.snoozedUntil), clock.value, false), alert.snoozedBy ?? "")}</span>}
          <span class="grow" />
          {alert.firing && may("operator") && (
            <button type="button" class="button little" onClick={snooze}>
              {t.alerts.snooze}
            </button>
          )}
        </div>
        {alert.firing && alert.text && <p>{alert.text}</p>}
        {alert.runbook && (
          <details open={alert.firing}>
            <summary>{t.alerts.runbook}</summary>
            <Markdown text={alert.runbook} />
          </details>
        )}
      </div>
    </div>
  );
}
