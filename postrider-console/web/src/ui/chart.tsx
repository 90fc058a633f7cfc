import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import { timeOfDay, whole } from "../format";
import { clock, theme } from "../prefs";
import { t } from "../text";
import type { Points } from "../types";

export interface Line {
  label: string;
  points: Points;
  /** How a value reads, with its unit. */
  words: (value: number) => string;
}

interface Props {
  title: string;
  from: number;
  stepMillis: number;
  lines: [Line] | [Line, Line];
  /** More columns of the table, which the drawing leaves out. */
  more?: Line[];
  brush?: (from: number, to: number) => void;
  hrefOf?: (from: number, to: number) => string;
}

const HEIGHT = 168;
const tick = (value: number) => (Number.isInteger(value) ? whole(value) : String(Number(value.toFixed(2))));
const INK = ["ink-first", "ink-second"];

const LEAST_STEPS = 24;

/** Leaves out what lies before the first measurement: a young process fills the whole width. */
function measuredPart(props: Props): Props {
  const length = Math.max(0, ...props.lines.map((line) => line.points.length));
  const firsts = props.lines.map((line) => line.points.findIndex((point) => point !== null)).filter((at) => at >= 0);
  const start = Math.max(0, Math.min(...firsts, length - LEAST_STEPS));
  if (firsts.length === 0 || start === 0) return props;
  const part = (line: Line) => ({ ...line, points: line.points.slice(start) });
  return { ...props, from: props.from + start * props.stepMillis, lines: props.lines.map(part) as Props["lines"], more: (props.more ?? []).map(part) };
}

/** A line chart of at most two series, and the same figures as a table. */
export function Chart(given: Props) {
  const props = measuredPart(given);
  const [table, setTable] = useState(false);
  const [at, setAt] = useState<number | undefined>();
  const { lines, from, stepMillis, title } = props;
  const length = Math.max(0, ...lines.map((line) => line.points.length));
  const measured = lines.some((line) => line.points.some((point) => point !== null));
  const shown = at ?? lastMeasured(lines, length);
  return (
    <section class="panel" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <button type="button" class="button little" aria-pressed={table} aria-label={t.common.viewTable(title)} onClick={() => setTable(!table)}>
          {t.common.table}
        </button>
      </header>
      <div class="chart">
        {table ? (
          <Figures {...props} length={length} />
        ) : (
          <>
            <p class="chart-read" aria-hidden="true">
              {measured && shown !== undefined && (
                <>
                  <span>{timeOfDay(from + shown * stepMillis, clock.value)}</span>
                  {lines.map((line, index) => (
                    <span key={line.label} class={INK[index]}>
                      {line.label} <b>{value(line, shown)}</b>
                    </span>
                  ))}
                </>
              )}
            </p>
            <div class="chart-place">{measured ? <Plot {...props} length={length} point={setAt} /> : <p class="muted">{t.overview.charts.noData}</p>}</div>
          </>
        )}
      </div>
    </section>
  );
}

const value = (line: Line, at: number) => {
  const point = line.points[at];
  return point === null || point === undefined ? t.common.none : line.words(point);
};

function lastMeasured(lines: Line[], length: number): number | undefined {
  for (let at = length - 1; at >= 0; at--) if (lines.some((line) => (line.points[at] ?? null) !== null)) return at;
  return undefined;
}

function data({ lines, from, stepMillis, length }: Props & { length: number }): uPlot.AlignedData {
  const times = Array.from({ length }, (_, at) => (from + at * stepMillis) / 1000);
  return [times, ...lines.map((line) => line.points)] as uPlot.AlignedData;
}

function Plot(props: Props & { length: number; point: (at: number | undefined) => void }) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const latest = useRef(props);
  latest.current = props;
  const looks = `${theme.value} ${clock.value} ${props.lines.length}`;
  useEffect(() => {
    const box = place.current!;
    const build = () => {
      plot.current?.destroy();
      plot.current = new uPlot(options(box, latest), data(latest.current), box);
    };
    build();
    const resized = new ResizeObserver(() => plot.current?.setSize({ width: box.clientWidth, height: HEIGHT }));
    resized.observe(box);
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    scheme.addEventListener("change", build);
    return () => {
      resized.disconnect();
      scheme.removeEventListener("change", build);
      plot.current?.destroy();
      plot.current = undefined;
    };
  }, [looks]);
  useEffect(() => plot.current?.setData(data(props)), [props.from, props.length, ...props.lines.map((line) => line.points)]);
  return <div ref={place} role="img" aria-label={props.title} />;
}

const SHORT_MILLIS = 300_000;
const FEW_POINTS = 3;

/** Whether minutes alone would repeat on the axis. */
function isShort({ stepMillis, length }: { stepMillis: number; length: number }): boolean {
  return stepMillis * length < SHORT_MILLIS;
}

/** Whether there are too few points for a line. */
function isSparse({ lines }: Props): boolean {
  return lines.every((line) => line.points.filter((point) => point !== null).length < FEW_POINTS);
}

function ink(box: HTMLElement, name: string): string {
  const probe = document.createElement("span");
  probe.className = name;
  box.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}

function options(box: HTMLElement, latest: { current: Props & { length: number; point: (at: number | undefined) => void } }): uPlot.Options {
  const words = ink(box, "muted");
  const grid = ink(box, "ink-line");
  const font = `12px ${getComputedStyle(box).fontFamily}`;
  const utc = clock.value === "utc";
  return {
    width: box.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    padding: [8, 8, 0, 0],
    tzDate: (seconds) => (utc ? uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC") : new Date(seconds * 1000)),
    cursor: { y: false, points: { size: 6 }, drag: { x: latest.current.brush !== undefined, y: false, setScale: false } },
    scales: { y: { range: (_, __, most) => [0, Math.max(1, (most ?? 1) * 1.12)] } },
    axes: [
      { stroke: words, font, grid: { show: false }, ticks: { stroke: grid, width: 1, size: 4 }, size: 26, gap: 3, space: 84, values: (_, splits) => splits.map((s) => timeOfDay(s * 1000, clock.value, isShort(latest.current))) },
      { stroke: words, font, grid: { stroke: grid, width: 1 }, ticks: { show: false }, border: { show: false }, size: 44, gap: 4, space: 36, values: (_, splits) => splits.map(tick) },
    ],
    series: [{}, ...latest.current.lines.map((line, at) => ({ label: line.label, stroke: ink(box, INK[at]!), width: at === 0 ? 2 : 1.5, dash: at === 0 ? [] : [5, 3], points: { show: () => isSparse(latest.current), size: 5 } }))],
    hooks: {
      setCursor: [(plot) => latest.current.point(plot.cursor.idx ?? undefined)],
      setSelect: [
        (plot) => {
          if (plot.select.width < 4) return;
          const at = (x: number) => Math.round(plot.posToVal(x, "x") * 1000);
          latest.current.brush?.(at(plot.select.left), at(plot.select.left + plot.select.width));
        },
      ],
    },
  };
}

function Figures({ title, lines, more = [], from, stepMillis, length, hrefOf }: Props & { length: number }) {
  const all = [...lines, ...more];
  const group = Math.max(1, Math.ceil(length / 60));
  const rows = Array.from({ length: Math.ceil(length / group) }, (_, at) => Math.min(length - 1, (at + 1) * group - 1)).reverse();
  return (
    <div class="chart-table" tabIndex={0} role="region" aria-label={t.common.viewTable(title)}>
      <table class="table">
        <caption class="off-screen">{title}</caption>
        <thead>
          <tr>
            <th scope="col">{t.common.time}</th>
            {all.map((line) => (
              <th scope="col" class="number" key={line.label}>
                {line.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((at) => {
            const time = from + at * stepMillis;
            const start = time - (group - 1) * stepMillis;
            const text = timeOfDay(time, clock.value);
            return (
              <tr key={at}>
                <th scope="row">
                  {hrefOf ? (
                    <a href={hrefOf(start, time + stepMillis)} aria-label={t.overview.charts.messagesOf(timeOfDay(start, clock.value), timeOfDay(time + stepMillis, clock.value))}>
                      {text}
                    </a>
                  ) : (
                    text
                  )}
                </th>
                {all.map((line) => (
                  <td class="number" key={line.label}>
                    {value(line, at)}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
