package dev.postrider.monitor;

import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.ErrorText;
import dev.postrider.spi.Settlement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Counts recent events of the relay of this process. Thread-safe. */
final class RelayEvents {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final int MOST_TYPES = 50;
    private static final int SHOWN_TYPES = 5;
    private static final int TYPE_LENGTH = 100;

    private final EventWindow failed = new EventWindow(MINUTE);
    private final UnreportedEvents integrity;
    private final UnreportedEvents stalled;
    private final Map<String, Long> deadTypes = new HashMap<>();
    private String lastDefect = "";

    /** Integrity failures and recovered claims are over when there was none for that long. */
    RelayEvents(Duration integrityCalm, Duration stalledCalm) {
        this.integrity = new UnreportedEvents(integrityCalm);
        this.stalled = new UnreportedEvents(stalledCalm);
    }

    /** Returns whether a message died. */
    synchronized boolean settled(List<Settlement> outcomes, long nanos) {
        int unsuccessful = 0;
        boolean died = false;
        for (Settlement settlement : outcomes) {
            switch (settlement.outcome()) {
                case DEAD -> {
                    died = true;
                    unsuccessful++;
                    died(settlement.claimed().message().type());
                }
                case RETRY -> unsuccessful++;
                case DELIVERED, RELEASED, BEHIND -> {}
            }
        }
        if (unsuccessful > 0) {
            failed.add(unsuccessful, nanos);
        }
        return died;
    }

    synchronized void integrityFailed(ClaimedMessage defective, long nanos) {
        integrity.add(1, nanos);
        lastDefect = "message %s: %s".formatted(defective.message().id(), ErrorText.clean("" + defective.defect()));
    }

    synchronized void claimsRecovered(int messages, long nanos) {
        stalled.add(messages, nanos);
    }

    /** Returns the number of a condition this process hears of; nothing to go by for others. */
    synchronized double of(AlertCondition condition, long nanos) {
        return switch (condition) {
            case FAILED -> failed.sum(nanos);
            case INTEGRITY -> integrity.value(nanos);
            case STALLED -> stalled.value(nanos);
            default -> Double.NaN;
        };
    }

    /** An alert of this condition is being sent. */
    synchronized void told(AlertCondition condition) {
        switch (condition) {
            case INTEGRITY -> integrity.told();
            case STALLED -> stalled.told();
            default -> {}
        }
    }

    synchronized String lastDefect() {
        return lastDefect;
    }

    /** Returns which types died most often since this was last asked, and forgets them. */
    synchronized String takeDeadTypes() {
        String types = deadTypes.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()))
                .limit(SHOWN_TYPES)
                .map(each -> each.getKey() + " " + each.getValue())
                .collect(Collectors.joining(", "));
        deadTypes.clear();
        return types;
    }

    // Types come from rows, so their number is bounded.
    private void died(String type) {
        String shown = ErrorText.clean(type, TYPE_LENGTH);
        if (deadTypes.size() < MOST_TYPES || deadTypes.containsKey(shown)) {
            deadTypes.merge(shown, 1L, Long::sum);
        }
    }
}
