import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { Problem } from "../api";
import { completions, taken, type Completion, type Known } from "../filter";
import { go, href, place } from "../router";
import { t } from "../text";
import { Icon } from "./icon";

interface Props {
  filter: string;
  /** The screen whose address takes the filter. */
  path: string[];
  label: string;
  problem?: Problem | undefined;
  known?: Known;
}

/** The qualifier search: completes while writing, and shows where the server could not read it. */
export function Search({ filter, path, label, problem, known = {} }: Props) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(filter);
  const [offers, setOffers] = useState<Completion[]>([]);
  const [at, setAt] = useState(-1);
  useEffect(() => setText(filter), [filter]);

  const offer = () => {
    const box = input.current!;
    setOffers(completions(box.value, box.selectionStart ?? box.value.length, known));
    setAt(-1);
  };
  const hide = () => {
    setOffers([]);
    setAt(-1);
  };
  const take = (completion: Completion) => {
    const next = taken(text, completion);
    setText(next.text);
    hide();
    requestAnimationFrame(() => {
      input.current!.focus();
      input.current!.setSelectionRange(next.caret, next.caret);
      if (completion.text.endsWith(":")) offer();
    });
  };
  const run = (event?: Event) => {
    event?.preventDefault();
    hide();
    const order = place.value.query.get("order") ?? undefined;
    go(href(path, { filter: text.trim(), order }));
  };
  const keys = (event: KeyboardEvent) => {
    const open = offers.length > 0;
    if (event.key === "ArrowDown" && open) setAt((at + 1) % offers.length);
    else if (event.key === "ArrowDown") offer();
    else if (event.key === "ArrowUp" && open) setAt((at - 1 + offers.length) % offers.length);
    else if (event.key === "Tab" && open && at >= 0 && !event.shiftKey) take(offers[at]!);
    else if (event.key === "Enter" && open && at >= 0) take(offers[at]!);
    else if (event.key === "Escape" && open) hide();
    else return;
    event.preventDefault();
  };

  return (
    <form class="search" role="search" onSubmit={run}>
      <div class="search-row">
        <div class="search-box">
          <Icon name="search" />
          <input
            ref={input}
            class="input"
            data-search
            role="combobox"
            aria-label={label}
            aria-expanded={offers.length > 0}
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            {...(at >= 0 ? { "aria-activedescendant": `${id}-${at}` } : {})}
            {...(problem?.json.code === "filter-broken" ? { "aria-invalid": true, "aria-describedby": `${id}-error` } : {})}
            placeholder={t.list.placeholder}
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            value={text}
            onInput={(event) => {
              setText(event.currentTarget.value);
              offer();
            }}
            onClick={offer}
            onKeyDown={keys}
            onBlur={hide}
          />
          <ul class="search-list" role="listbox" id={`${id}-list`} aria-label={t.list.suggestions} hidden={offers.length === 0}>
            {offers.map((completion, index) => (
              <li
                key={completion.text}
                id={`${id}-${index}`}
                role="option"
                class="menu-item"
                aria-selected={index === at}
                onMouseDown={(event) => {
                  event.preventDefault();
                  take(completion);
                }}
              >
                {completion.text}
              </li>
            ))}
          </ul>
        </div>
        <button type="submit" class="button">
          {t.list.run}
        </button>
        {filter !== "" && (
          <a class="button" href={href(path)}>
            {t.list.clear}
          </a>
        )}
      </div>
      {problem?.json.code === "filter-broken" && <Broken id={`${id}-error`} problem={problem} filter={filter} />}
    </form>
  );
}

/** The filter with its broken part marked; the server counts positions from 1. */
function Broken({ id, problem, filter }: { id: string; problem: Problem; filter: string }) {
  const { position, length = 1, detail } = problem.json;
  const from = (position ?? 1) - 1;
  return (
    <div class="search-error" id={id} role="alert">
      {position !== undefined && (
        <pre>
          {filter.slice(0, from)}
          <mark>{filter.slice(from, from + length) || " "}</mark>
          {filter.slice(from + length)}
        </pre>
      )}
      <p>{detail}</p>
    </div>
  );
}
