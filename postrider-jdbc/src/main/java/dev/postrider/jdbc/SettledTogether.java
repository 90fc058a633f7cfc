package dev.postrider.jdbc;

import dev.postrider.spi.Settlement;
import dev.postrider.spi.Settlement.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Outcomes of one relay that one statement writes. */
record SettledTogether(Kind kind, List<Settlement> outcomes) {

    /** What a statement writes, in the order in which the statements run. */
    enum Kind {
        FINISHED,
        RELEASED,
        // After all others: a holder that is delivered in the same batch holds its key no longer.
        BEHIND;

        private static Kind of(Outcome outcome) {
            return switch (outcome) {
                case DELIVERED, RETRY, DEAD -> FINISHED;
                case RELEASED -> RELEASED;
                case BEHIND -> BEHIND;
            };
        }
    }

    /** Sorts outcomes by relay and kind; usually there is one group. */
    static List<SettledTogether> groups(List<Settlement> outcomes) {
        List<SettledTogether> groups = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            Map<String, List<Settlement>> byRelay = new LinkedHashMap<>();
            for (Settlement outcome : outcomes) {
                if (Kind.of(outcome.outcome()) == kind) {
                    byRelay.computeIfAbsent(outcome.claimed().claimedBy(), relay -> new ArrayList<>())
                            .add(outcome);
                }
            }
            byRelay.values().forEach(each -> groups.add(new SettledTogether(kind, each)));
        }
        return groups;
    }
}
