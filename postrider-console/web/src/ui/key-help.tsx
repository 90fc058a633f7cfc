import { keyHelp } from "../keys";
import { compact, shortcuts } from "../prefs";
import { t } from "../text";
import { Dialog } from "./dialog";

export function KeyHelp() {
  const close = () => (keyHelp.value = false);
  return (
    <Dialog close={close} narrow label="key-help-title">
      <div class="in">
        <h2 id="key-help-title">{t.keymap.title}</h2>
        <dl class="keymap">
          {t.keymap.rows.map(([keys, words]) => (
            <>
              <dt key={keys}>
                {keys.split(" ").map((key, at) => (
                  <>
                    {at > 0 && " "}
                    <kbd>{key}</kbd>
                  </>
                ))}
              </dt>
              <dd>{words}</dd>
            </>
          ))}
        </dl>
        <label class="check">
          <input type="checkbox" checked={shortcuts.value} onChange={(event) => (shortcuts.value = event.currentTarget.checked)} />
          {t.keymap.off}
        </label>
        <label class="check">
          <input type="checkbox" checked={compact.value} onChange={(event) => (compact.value = event.currentTarget.checked)} />
          {t.keymap.compact}
        </label>
        <div class="buttons end">
          <button type="button" class="button" onClick={close}>
            {t.common.close}
          </button>
        </div>
      </div>
    </Dialog>
  );
}
