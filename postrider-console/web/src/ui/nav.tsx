import { remove } from "../api";
import { brief, countOf } from "../format";
import { keyHelp } from "../keys";
import { overview } from "../live";
import { clock, theme, type Theme } from "../prefs";
import { go, href, place } from "../router";
import { me, source, sources } from "../session";
import { signedOut } from "../api";
import { t } from "../text";
import type { Count } from "../types";
import { Icon, Mark, type IconName } from "./icon";

type Screen = keyof typeof t.frame.screens;

const GROUPS: Screen[][] = [
  ["overview", "messages", "dead"],
  ["relays", "topics", "keys", "inbox", "sagas"],
  ["alerts", "bulk", "audit", "settings", "dev"],
];

const NEXT: Record<Theme, Theme> = { system: "light", light: "dark", dark: "system" };
const THEME_ICON: Record<Theme, IconName> = { system: "system", light: "sun", dark: "moon" };

/** Where a person should look: nothing else has a number. */
function attention(screen: Screen): { count: Count; held: boolean } | undefined {
  const cards = overview.value?.cards;
  if (screen === "dead" && countOf(cards?.dead) > 0) return { count: cards!.dead!, held: false };
  if (screen === "keys" && countOf(cards?.blockedKeys) > 0) return { count: cards!.blockedKeys!, held: true };
  if (screen === "relays" && (cards?.unownedShards ?? 0) > 0) return { count: { value: cards!.unownedShards! }, held: true };
  return undefined;
}

export function Nav() {
  const here = place.value.path[0] ?? "overview";
  return (
    <nav class="nav" aria-label={t.frame.navigation}>
      <a class="wordmark" href={href([])} aria-label={t.frame.product}>
        <Mark />
        <span class="label">{t.frame.product}</span>
      </a>
      <SourceSwitch />
      <div class="nav-lists">
        {GROUPS.map((group) => (
          <ul class="nav-list" key={group[0]}>
            {group
              .filter((screen) => screen !== "dev" || sources.value?.dev)
              .map((screen) => {
                const count = attention(screen);
                return (
                  <li key={screen}>
                    <a class="nav-link" href={href(screen === "overview" ? [] : [screen])} title={t.frame.screens[screen]} {...(here === screen ? { "aria-current": "page" as const } : {})}>
                      <Icon name={screen} />
                      <span class="label">{t.frame.screens[screen]}</span>
                      {count && (
                        <span class={count.held ? "nav-count held" : "nav-count"}>
                          {brief(count.count)}
                          <span class="off-screen"> {t.frame.needsAttention("")}</span>
                        </span>
                      )}
                    </a>
                  </li>
                );
              })}
          </ul>
        ))}
      </div>
      <Foot />
    </nav>
  );
}

function SourceSwitch() {
  const all = sources.value?.sources ?? [];
  const shown = source.value;
  if (!shown) return null;
  return (
    <div class="source">
      {all.length > 1 ? (
        <select
          class="input"
          aria-label={t.frame.source}
          value={shown.name}
          onChange={(event) => go(href(place.value.path.slice(0, 1), { source: event.currentTarget.value }))}
        >
          {all.map((one) => (
            <option key={one.name} value={one.name}>
              {one.name}
            </option>
          ))}
        </select>
      ) : (
        <span class="name">{shown.name}</span>
      )}
      {shown.database && <span class="database">{shown.database}</span>}
    </div>
  );
}

function Foot() {
  const who = me.value;
  const role = who?.role.toLowerCase() as keyof typeof t.frame.role | undefined;
  const out = async () => {
    await remove("session");
    signedOut.value = true;
  };
  return (
    <div class="nav-foot">
      {who && (
        <p class="words">
          <span class="who">{who.name}</span>
          <br />
          {role && t.frame.role[role]}
        </p>
      )}
      <div class="buttons">
        <Tool icon={THEME_ICON[theme.value]} label={t.frame.theme[theme.value]} run={() => (theme.value = NEXT[theme.value])} />
        <Tool icon="clock" label={t.frame.clock[clock.value]} run={() => (clock.value = clock.value === "utc" ? "local" : "utc")} />
        <Tool icon="keyboard" label={`${t.frame.keys} (?)`} run={() => (keyHelp.value = true)} />
        {who?.canSignOut && <Tool icon="out" label={t.frame.signOut} run={() => void out()} />}
      </div>
    </div>
  );
}

function Tool({ icon, label, run }: { icon: IconName; label: string; run: () => void }) {
  return (
    <button type="button" class="button plain quiet only-icon" aria-label={label} title={label} onClick={run}>
      <Icon name={icon} />
    </button>
  );
}
