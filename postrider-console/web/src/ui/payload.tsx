import { useState } from "preact/hooks";
import { api } from "../api";
import { bytesOf, hexRows, lookOf, prettyJson, tinted } from "../payload";
import { bytes } from "../format";
import { of } from "../session";
import { t } from "../text";
import type { Payload } from "../types";
import { Copy, Segments } from "./basics";

type Shape = "pretty" | "raw" | "hex";
const MOST_LINES = 5000;

/** A payload as text with line numbers. It is only ever text: never parsed, never HTML. */
export function PayloadView({ payload, contentType, id }: { payload: Payload | undefined; contentType?: string | undefined; id?: string }) {
  const binary = payload?.text === undefined;
  const [shape, setShape] = useState<Shape>(binary ? "hex" : "pretty");
  const [wrap, setWrap] = useState(true);
  if (!payload) return <p class="body muted empty">{t.detail.payload.noLook}</p>;
  const size = payload.bytes ?? bytesOf(payload).length;
  if (size === 0) return <p class="body muted empty">{t.detail.payload.none}</p>;
  const type = payload.contentType ?? contentType ?? "";
  const look = lookOf(payload.text ?? "", type);
  const text = shape === "pretty" && look === "json" ? prettyJson(payload.text ?? "") : (payload.text ?? "");
  const shapes: [Shape, string][] = binary ? [["hex", t.detail.payload.hex]] : [["pretty", t.detail.payload.pretty], ["raw", t.detail.payload.raw], ["hex", t.detail.payload.hex]];
  return (
    <>
      <div class="pager">
        <Segments label={t.detail.tabs.payload} options={shapes} value={shape} pick={setShape} />
        <label class="check">
          <input type="checkbox" checked={wrap} onChange={(event) => setWrap(event.currentTarget.checked)} />
          {t.detail.payload.wrap}
        </label>
        <span class="grow" />
        <span>
          {[bytes(size), type].filter(Boolean).join(" · ")}
        </span>
        <Copy text={payload.text ?? payload.base64 ?? ""} />
        {id && (
          <a class="button little" href={api(of(`messages/${id}/payload`))} download>
            {t.detail.payload.download}
          </a>
        )}
      </div>
      {shape === "hex" ? <Hex payload={payload} size={size} /> : <Lines text={text} look={shape === "pretty" ? look : "text"} wrap={wrap} />}
    </>
  );
}

function Lines({ text, look, wrap }: { text: string; look: "json" | "xml" | "text"; wrap: boolean }) {
  const lines = tinted(text, look).slice(0, MOST_LINES);
  return (
    <div class={wrap ? "payload wrap" : "payload"} tabIndex={0} role="region" aria-label={t.detail.tabs.payload}>
      {lines.map((line, at) => (
        <div class="row" key={at}>
          <i aria-hidden="true">{at + 1}</i>
          <span>
            {line.map((piece, index) => (
              <span key={index} class={`tint-${piece.kind}`}>
                {piece.text}
              </span>
            ))}
          </span>
        </div>
      ))}
    </div>
  );
}

function Hex({ payload, size }: { payload: Payload; size: number }) {
  const rows = hexRows(bytesOf(payload));
  return (
    <div class="payload" tabIndex={0} role="region" aria-label={t.detail.payload.hex}>
      {rows.map((row) => (
        <div class="row" key={row.offset}>
          <i>{row.offset}</i>
          <span>
            {row.hex.padEnd(49)}
            <span class="tint-mark">{row.text}</span>
          </span>
        </div>
      ))}
      {size > 4096 && (
        <div class="row">
          <i />
          <span class="muted">{t.detail.payload.cutHex}</span>
        </div>
      )}
    </div>
  );
}
