package dev.postrider.jdbc;

import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.ErrorText;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Settlement.Outcome;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What the history keeps of an attempt that did not succeed. */
record FailedAttempt(
        ClaimedMessage claimed,
        Outcome outcome,
        long tookMillis,
        @Nullable String failure,
        @Nullable String error) {

    private static final int MAX_ERROR = 2_000;

    /** Returns what the history keeps of these outcomes, whether or not the claims still hold. */
    static List<FailedAttempt> all(List<Settlement> outcomes) {
        return outcomes.stream()
                .filter(each -> each.outcome() == Outcome.RETRY || each.outcome() == Outcome.DEAD)
                .map(each -> new FailedAttempt(
                        each.claimed(), each.outcome(), each.took().toMillis(), failure(each), error(each)))
                .toList();
    }

    /** Returns the error as it is stored. */
    static @Nullable String error(Settlement settlement) {
        return settlement.error() == null ? null : ErrorText.clean(settlement.error(), MAX_ERROR);
    }

    /** Returns the failure as it is stored. */
    static @Nullable String failure(Settlement settlement) {
        return settlement.failure() == null ? null : ErrorText.clean(settlement.failure());
    }

    /** Whether the message may have more rows in the history than it should. A requeue counts from 1 again. */
    boolean mayExceed(int kept) {
        return outcome == Outcome.DEAD || claimed.attempt() > kept;
    }

    long seq() {
        return claimed.seq();
    }

    long token() {
        return claimed.token();
    }

    UUID messageId() {
        return claimed.message().id();
    }

    int number() {
        return claimed.attempt();
    }

    String relay() {
        return claimed.claimedBy();
    }

    short outcomeCode() {
        return (short) (outcome == Outcome.DEAD ? 1 : 0);
    }
}
