package dev.postrider.relay;

import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Settlement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts messages whose last claim ended without an outcome, each loss once: a message that is given back and claimed
 * again still has its lost claims. Not thread-safe: guarded by {@link RelayState}.
 */
final class Recovered {

    private static final int MOST = 10_000;

    private final Map<Long, Integer> counted = new LinkedHashMap<>();

    /** Returns how many of these have lost a claim that was not counted before. */
    int among(List<ClaimedMessage> claimed) {
        int recovered = 0;
        for (ClaimedMessage each : claimed) {
            int lost = each.lostClaims();
            if (lost > 0) {
                Integer before = counted.put(each.seq(), lost);
                recovered += before == null || before != lost ? 1 : 0;
            }
        }
        while (counted.size() > MOST) {
            counted.remove(counted.keySet().iterator().next());
        }
        return recovered;
    }

    /** Takes note that the store knows this outcome, which ends the count of lost claims unless it gives back. */
    void settled(Settlement settlement) {
        if (!counted.isEmpty() && !isGivenBack(settlement.outcome())) {
            counted.remove(settlement.claimed().seq());
        }
    }

    private static boolean isGivenBack(Settlement.Outcome outcome) {
        return outcome == Settlement.Outcome.RELEASED || outcome == Settlement.Outcome.BEHIND;
    }
}
