import { useEffect, useRef, useState } from "preact/hooks";
import { ask } from "../actions";
import { post } from "../api";
import { around, diff } from "../diff";
import { useLoad } from "../load";
import { lookOf, prettyJson } from "../payload";
import { go, href } from "../router";
import { of } from "../session";
import { t } from "../text";
import type { MessageDetail } from "../types";
import { Failure, Panel, Skeleton, Status } from "../ui/basics";
import { DiffView } from "../ui/diff-view";
import { Page } from "../ui/page";

interface Draft {
  payload: string;
  headers: string;
  contentType: string;
  type: string;
}

export function EditScreen({ id }: { id: string }) {
  const loaded = useLoad<MessageDetail>(of(`messages/${id}`));
  const message = loaded.data;
  return (
    <Page title={t.edit.title} {...(message ? { shows: `${message.topic} · ${message.type}` } : {})}>
      {loaded.slow && <Skeleton rows={10} />}
      {loaded.problem && <Failure problem={loaded.problem} reload={loaded.reload} />}
      {message && (message.status === "DEAD" ? <Editor message={message} /> : <NotDead message={message} />)}
    </Page>
  );
}

function NotDead({ message }: { message: MessageDetail }) {
  return (
    <div class="notice warn">
      <span class="grow">
        <Status of={message} /> {t.edit.notDead} {t.edit.notDeadDo}
      </span>
      <a class="button little" href={href(["messages", message.id])}>
        {t.common.show}
      </a>
    </div>
  );
}

const headerText = (headers: Record<string, string>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");

/** The headers of a text with one a line, or the number of the line that has no colon. */
export function headersOf(text: string): Record<string, string> | number {
  const out: Record<string, string> = {};
  for (const [at, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const colon = line.indexOf(":");
    if (colon < 1) return at + 1;
    out[line.slice(0, colon).trim()] = line.slice(colon + 1).replace(/^ /, "");
  }
  return out;
}

function Editor({ message }: { message: MessageDetail }) {
  const binary = message.payload?.text === undefined;
  const original = useRef<Draft>({
    payload: message.payload?.text ?? message.payload?.base64 ?? "",
    headers: headerText(message.headers ?? {}),
    contentType: message.contentType ?? "",
    type: message.type,
  }).current;
  const [draft, setDraft] = useState(original);
  const [review, setReview] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const set = (name: keyof Draft) => (event: Event) => setDraft({ ...draft, [name]: (event.currentTarget as HTMLInputElement).value });
  const headers = headersOf(draft.headers);
  const changed = (Object.keys(draft) as (keyof Draft)[]).filter((name) => draft[name] !== original[name]);
  useEffect(() => {
    if (review) heading.current?.focus();
  }, [review]);

  const indented = lookOf(draft.payload, draft.contentType) === "json" ? prettyJson(draft.payload) : draft.payload;

  const requeue = () => {
    const body = {
      ...(changed.includes("payload") ? { payload: binary ? { base64: draft.payload.trim() } : { text: draft.payload } } : {}),
      ...(changed.includes("headers") ? { headers } : {}),
      ...(changed.includes("contentType") ? { contentType: draft.contentType } : {}),
      ...(changed.includes("type") ? { type: draft.type } : {}),
    };
    let created = "";
    ask.value = {
      title: t.edit.title,
      sentence: t.edit.sentence,
      verb: t.edit.verb,
      count: 1,
      run: async (reason) => {
        created = (await post<{ id: string }>(of(`messages/${message.id}/edit`), { ...body, reason })).id;
        return t.edit.done(created);
      },
      done: () => go(href(["messages", created])),
    };
  };

  if (review) {
    return (
      <>
        <h2 tabIndex={-1} ref={heading}>
          {t.edit.changes}
        </h2>
        {changed.map((name) => (
          <Panel key={name} title={t.edit[name]}>
            <DiffView lines={around(diff(shown(name, original), shown(name, draft)))} />
          </Panel>
        ))}
        <div class="buttons">
          <button type="button" class="button" onClick={() => setReview(false)}>
            {t.edit.back}
          </button>
          <button type="button" class="button main" onClick={requeue}>
            {t.edit.verb}…
          </button>
        </div>
      </>
    );
  }
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        setReview(true);
      }}
    >
      <p class="muted">{t.edit.sentence}</p>
      <div class="columns wide-left">
        <div class="field">
          <label for="edit-payload">{t.edit.payload}</label>
          <textarea id="edit-payload" class="input editor" rows={20} spellcheck={false} value={draft.payload} onInput={set("payload")} />
          {binary && <span class="hint">{t.edit.binary}</span>}
        </div>
        <div class="stack">
          <div class="field">
            <label for="edit-type">{t.edit.type}</label>
            <input id="edit-type" class="input" required value={draft.type} onInput={set("type")} />
          </div>
          <div class="field">
            <label for="edit-content">{t.edit.contentType}</label>
            <input id="edit-content" class="input" value={draft.contentType} onInput={set("contentType")} />
          </div>
          <div class="field">
            <label for="edit-headers">{t.edit.headers}</label>
            <textarea id="edit-headers" class="input mono" rows={6} spellcheck={false} value={draft.headers} aria-describedby="edit-headers-hint" onInput={set("headers")} />
            <span class="hint" id="edit-headers-hint">
              {typeof headers === "number" ? <span class="tone-dead">{t.edit.badHeader(headers)}</span> : t.edit.headersHint}
            </span>
          </div>
        </div>
      </div>
      <div class="buttons">
        <a class="button" href={href(["messages", message.id])}>
          {t.common.cancel}
        </a>
        <button type="submit" class="button main" disabled={changed.length === 0 || typeof headers === "number"}>
          {t.edit.review}
        </button>
        {!binary && indented !== draft.payload && (
          <button type="button" class="button" onClick={() => setDraft({ ...draft, payload: indented })}>
            {t.edit.indent}
          </button>
        )}
        {changed.length === 0 && <span class="muted">{t.edit.noChange}</span>}
      </div>
    </form>
  );

  /** JSON on one line is compared line by line in its indented form. */
  function shown(name: keyof Draft, of: Draft): string {
    return name === "payload" && lookOf(of.payload, of.contentType) === "json" ? prettyJson(of.payload) : of[name];
  }
}
