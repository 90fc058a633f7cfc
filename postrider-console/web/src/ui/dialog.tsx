import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { ask, say, TYPED_ABOVE, type Ask } from "../actions";
import { Problem } from "../api";
import { decided, shell } from "../copy";
import { whole } from "../format";
import { t } from "../text";
import { Cli, Failure } from "./basics";

/** A native modal dialog; the focus returns to where it came from. */
export function Dialog({ close, narrow, label, children }: { close: () => void; narrow?: boolean; label: string; children: ComponentChildren }) {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    box.current!.showModal();
    return () => before?.focus?.({ preventScroll: true });
  }, []);
  return (
    <dialog
      ref={box}
      class={narrow ? "dialog narrow" : "dialog"}
      aria-labelledby={label}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClick={(event) => {
        if (event.target === box.current) close();
      }}
    >
      {children}
    </dialog>
  );
}

export function asProblem(error: unknown): Problem {
  return error instanceof Problem ? error : new Problem({ status: 0, code: "internal", title: String(error) });
}

/** The one confirmation of the pages. */
export function AskDialog() {
  const what = ask.value;
  return what ? <Question key={what.title} what={what} /> : null;
}

function Question({ what }: { what: Ask }) {
  const id = useId();
  const [reason, setReason] = useState("");
  const [typed, setTyped] = useState("");
  const [fields, setFields] = useState<Record<string, string>>(() => Object.fromEntries((what.fields ?? []).map((field) => [field.name, field.value])));
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | undefined>();
  const reasoned = what.needsReason !== false;
  const guarded = what.count > TYPED_ABOVE;
  const fits = !guarded || typed.replace(/[,\s]/g, "") === String(what.count);
  const close = () => {
    if (!busy) ask.value = undefined;
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    if (busy || !fits || (reasoned && reason.trim() === "")) return;
    setBusy(true);
    setProblem(undefined);
    try {
      const values = Object.fromEntries((what.fields ?? []).map(({ name, numeric }) => [name, numeric ? Number(fields[name]) : fields[name]!]));
      say(await what.run(reason.trim(), values));
      ask.value = undefined;
      what.done?.();
    } catch (error) {
      setProblem(asProblem(error));
      setBusy(false);
    }
  };
  return (
    <Dialog close={close} label={`${id}-title`}>
      <form onSubmit={(event) => void submit(event)}>
        <h2 id={`${id}-title`}>{what.title}</h2>
        <p>{what.sentence}</p>
        {what.consequence && <p class="consequence">{what.consequence}</p>}
        {(what.fields ?? []).map((field) => (
          <div class="field" key={field.name}>
            <label for={`${id}-${field.name}`}>{field.label}</label>
            <input
              id={`${id}-${field.name}`}
              class="input"
              value={fields[field.name]}
              {...(field.numeric ? { inputMode: "numeric" as const, pattern: "[0-9]*" } : {})}
              onInput={(event) => setFields({ ...fields, [field.name]: event.currentTarget.value })}
            />
            {field.hint && <span class="hint">{field.hint}</span>}
          </div>
        ))}
        {reasoned && (
          <div class="field">
            <label for={`${id}-reason`}>{t.common.reason}</label>
            <input id={`${id}-reason`} class="input" value={reason} maxLength={2000} required autocomplete="off" aria-describedby={`${id}-hint`} onInput={(event) => setReason(event.currentTarget.value)} />
            <span class="hint" id={`${id}-hint`}>
              {t.common.reasonHint}
            </span>
          </div>
        )}
        {guarded && (
          <div class="field">
            <label for={`${id}-typed`}>{t.common.typeCount(whole(what.count))}</label>
            <input id={`${id}-typed`} class="input" value={typed} inputMode="numeric" autocomplete="off" aria-describedby={`${id}-guard`} onInput={(event) => setTyped(event.currentTarget.value)} />
            <span class="hint" id={`${id}-guard`}>
              {t.common.typeCountHint}
            </span>
          </div>
        )}
        {problem && <Failure problem={problem} />}
        {what.cli && <Cli text={`${what.cli} ${decided(reason).map(shell).join(" ")}`} />}
        <div class="buttons end">
          <button type="button" class="button" onClick={close}>
            {t.common.cancel}
          </button>
          <button type="submit" class={what.danger ? "button danger" : "button main"} disabled={busy || !fits || (reasoned && reason.trim() === "")}>
            {busy ? t.common.working : what.verb}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
