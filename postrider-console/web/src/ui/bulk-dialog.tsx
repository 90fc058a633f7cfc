import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { say, TYPED_ABOVE } from "../actions";
import { post, Problem } from "../api";
import { COMMAND } from "../act";
import { command, decided } from "../copy";
import { counted, countOf, dateTime, whole } from "../format";
import { clock } from "../prefs";
import { go, href } from "../router";
import { of } from "../session";
import { t } from "../text";
import type { Bulk, BulkAction } from "../types";
import { Cli, Failure } from "./basics";
import { asProblem, Dialog } from "./dialog";

/** What is to be done to all messages of a filter. */
export const bulkAsk = signal<{ action: BulkAction; filter: string } | undefined>(undefined);

/** Two steps: the server counts and fixes the messages, then a person confirms that number. */
export function BulkDialog() {
  const what = bulkAsk.value;
  return what ? <Steps key={`${what.action} ${what.filter}`} {...what} /> : null;
}

function Steps({ action, filter }: { action: BulkAction; filter: string }) {
  const [reason, setReason] = useState("");
  const [typed, setTyped] = useState("");
  const [rate, setRate] = useState("");
  const [plan, setPlan] = useState<Bulk | undefined>();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | undefined>();
  const count = plan ? countOf(plan.expected) : 0;
  const verb = t.bulk.verb[action]!;
  const ready = plan ? count > 0 && (count <= TYPED_ABOVE || typed.replace(/[,\s]/g, "") === String(count)) : reason.trim() !== "";
  const close = () => {
    if (busy) return;
    if (plan) void post(of(`bulk/${plan.id}/cancel`), { reason: t.bulk.notConfirmed }).catch(() => undefined);
    bulkAsk.value = undefined;
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    if (busy || !ready) return;
    setBusy(true);
    setProblem(undefined);
    try {
      if (!plan) {
        setPlan(await post<Bulk>(of("bulk"), { action, filter, reason: reason.trim() }));
      } else {
        await post(of(`bulk/${plan.id}/run`), rate === "" ? {} : { rate: Number(rate) });
        bulkAsk.value = undefined;
        say(`${verb} ${whole(count)}`);
        go(href(["bulk", plan.id]));
        return;
      }
    } catch (error) {
      setProblem(asProblem(error));
    }
    setBusy(false);
  };
  return (
    <Dialog close={close} label="bulk-title">
      <form onSubmit={(event) => void submit(event)}>
        <h2 id="bulk-title">{t.bulk.prepare[action]}</h2>
        <div class="field">
          <span class="label">{t.bulk.filter}</span>
          <code>{filter || t.common.all}</code>
        </div>
        {plan ? (
          <>
            <p>
              <strong>{count === 0 ? t.bulk.nothing : t.bulk.sentence[action]!(counted(plan.expected))}</strong>
            </p>
            {plan.cutOff && <p class="consequence">{t.bulk.frozen(dateTime(Date.parse(plan.cutOff), clock.value))}</p>}
            {plan.samples && plan.samples.length > 0 && (
              <div class="field">
                <span class="label">{t.bulk.sample}</span>
                <ul class="samples mono">
                  {plan.samples.slice(0, 5).map((id) => (
                    <li key={id}>
                      <a href={href(["messages", id])} target="_blank" rel="noopener">
                        {id}
                      </a>
                    </li>
                  ))}
                </ul>
              </div>
            )}
            {count > 0 && (
              <div class="field">
                <label for="bulk-rate">{t.bulk.rate}</label>
                <input id="bulk-rate" class="input" inputMode="numeric" pattern="[0-9]*" value={rate} aria-describedby="bulk-rate-hint" onInput={(event) => setRate(event.currentTarget.value)} />
                <span class="hint" id="bulk-rate-hint">
                  {t.bulk.rateHint}
                </span>
              </div>
            )}
            {count > TYPED_ABOVE && (
              <div class="field">
                <label for="bulk-typed">{t.common.typeCount(whole(count))}</label>
                <input id="bulk-typed" class="input" inputMode="numeric" autocomplete="off" value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
              </div>
            )}
          </>
        ) : (
          <>
            <p class="consequence">{t.bulk.prepareWords}</p>
            <div class="field">
              <label for="bulk-reason">{t.common.reason}</label>
              <input id="bulk-reason" class="input" required maxLength={2000} autocomplete="off" value={reason} aria-describedby="bulk-reason-hint" onInput={(event) => setReason(event.currentTarget.value)} />
              <span class="hint" id="bulk-reason-hint">
                {t.common.reasonHint}
              </span>
            </div>
            <Cli text={command(...COMMAND[action], "--filter", filter, ...decided(reason))} />
          </>
        )}
        {problem && <Failure problem={problem} />}
        <div class="buttons end">
          <button type="button" class="button" onClick={close}>
            {t.common.cancel}
          </button>
          <button type="submit" class={plan && action === "discard" ? "button danger" : "button main"} disabled={busy || !ready}>
            {busy ? t.common.working : plan ? `${verb} ${counted(plan.expected)}` : t.bulk.preview}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
