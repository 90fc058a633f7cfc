package dev.postrider.console.live;

import dev.postrider.admin.KnownRelay;
import dev.postrider.spi.RelayReport;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Adds up what all relays have delivered, although each of them counts from its own start. Relays of this process are
 * counted by what they settle, all others by what they tell with their heartbeats. Not thread-safe.
 */
final class RelayTotals {

    private final Map<String, SettledCounts> told = new HashMap<>();
    private SettledCounts heard = SettledCounts.NONE;
    private SettledCounts total = SettledCounts.NONE;
    private boolean begun;

    SettledCounts add(List<KnownRelay> relays, RelayFigures figures, Set<String> here) {
        SettledCounts now = figures.topics().values().stream().reduce(SettledCounts.NONE, SettledCounts::plus);
        boolean hears = figures.heard();
        SettledCounts growth = hears ? now.minus(heard) : SettledCounts.NONE;
        heard = now;
        Map<String, SettledCounts> before = Map.copyOf(told);
        told.clear();
        for (KnownRelay relay : relays) {
            RelayReport report = relay.report();
            if (report != null && !(hears && here.contains(relay.id()))) {
                SettledCounts figure = new SettledCounts(report.delivered(), report.failed());
                told.put(relay.id(), figure);
                growth = growth.plus(
                        figure.minus(Objects.requireNonNullElse(before.get(relay.id()), SettledCounts.NONE)));
            }
        }
        // What relays had delivered before the first look is no growth.
        if (begun) {
            total = total.plus(new SettledCounts(Math.max(0, growth.out()), Math.max(0, growth.failed())));
        }
        begun = true;
        return total;
    }
}
