package dev.postrider.jdbc;

import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Settlement.Outcome;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What the history keeps of an attempt that did not succeed. */
record FailedAttempt(
        ClaimedMessage claimed,
        Outcome outcome,
        long tookMillis,
        @Nullable String failure,
        @Nullable String error) {

    static boolean isOne(Settlement settlement) {
        return settlement.outcome() == Outcome.RETRY || settlement.outcome() == Outcome.DEAD;
    }

    static FailedAttempt of(Settlement settlement) {
        return new FailedAttempt(
                settlement.claimed(),
                settlement.outcome(),
                settlement.took().toMillis(),
                Transition.failure(settlement),
                Transition.error(settlement));
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
