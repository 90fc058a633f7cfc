import type { DiffLine } from "../diff";
import { whole } from "../format";
import { t } from "../text";

const SIGN = { same: " ", added: "+", removed: "−" };

/** Changed lines with their numbers; the sign tells them apart without colour. */
export function DiffView({ lines }: { lines: (DiffLine | undefined)[] }) {
  const count = (kind: DiffLine["kind"]) => lines.filter((line) => line?.kind === kind).length;
  return (
    <div class="diff" tabIndex={0} role="region" aria-label={t.edit.changes}>
      <table>
        <caption class="off-screen">{t.edit.lines(count("added"), count("removed"))}</caption>
        <tbody>
          {lines.map((line, at) =>
            line ? (
              <tr key={at} class={line.kind}>
                <td class="number">{line.before === undefined ? "" : whole(line.before)}</td>
                <td class="number">{line.after === undefined ? "" : whole(line.after)}</td>
                <td class="sign">{SIGN[line.kind]}</td>
                <td>{line.text}</td>
              </tr>
            ) : (
              <tr key={at}>
                <td class="number">⋯</td>
                <td class="number" />
                <td class="sign" />
                <td />
              </tr>
            ),
          )}
        </tbody>
      </table>
    </div>
  );
}
