package dev.postrider.jdbc;

import dev.postrider.MessageStatus;
import dev.postrider.database.Micros;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.ErrorText;
import dev.postrider.spi.Settlement;
import org.jspecify.annotations.Nullable;

/**
 * What an outcome writes to its row. A null error, which goes with a null failure, or a null for holding the key, keeps
 * what the row has.
 */
record Transition(
        ClaimedMessage claimed,
        MessageStatus status,
        int givenBack,
        @Nullable Boolean holdsKey,
        Due due,
        long delayMicros,
        @Nullable String error,
        @Nullable String failure) {

    private static final int MAX_ERROR = 2_000;

    /** When the message may be tried again, and the number that says so in the statements. */
    enum Due {
        NOT_WAITING(0),
        LATER(1),
        UNCHANGED(2),
        BEHIND(3);

        private final short code;

        Due(int code) {
            this.code = (short) code;
        }
    }

    static Transition of(Settlement settlement) {
        ClaimedMessage claimed = settlement.claimed();
        String error = error(settlement);
        String failure = failure(settlement);
        boolean holds = settlement.holdsKey();
        return switch (settlement.outcome()) {
            case DELIVERED ->
                new Transition(claimed, MessageStatus.DELIVERED, 0, false, Due.NOT_WAITING, 0, null, null);
            case RETRY ->
                new Transition(
                        claimed,
                        MessageStatus.PENDING,
                        0,
                        holds,
                        Due.LATER,
                        Micros.of(settlement.delay()),
                        error,
                        failure);
            case DEAD -> new Transition(claimed, MessageStatus.DEAD, 0, holds, Due.NOT_WAITING, 0, error, failure);
            case RELEASED -> new Transition(claimed, MessageStatus.PENDING, 1, null, Due.UNCHANGED, 0, null, null);
            case BEHIND -> new Transition(claimed, MessageStatus.PENDING, 1, true, Due.BEHIND, 0, null, null);
        };
    }

    static @Nullable String error(Settlement settlement) {
        return settlement.error() == null ? null : ErrorText.clean(settlement.error(), MAX_ERROR);
    }

    static @Nullable String failure(Settlement settlement) {
        return settlement.failure() == null ? null : ErrorText.clean(settlement.failure());
    }

    /**
     * Returns the mark of a lost trial that stays with a message that was only given back, together with its lost
     * claims: it may still be what kills the process. Null if there is an outcome, which ends both.
     */
    @Nullable Boolean trial() {
        return givenBack == 0 ? null : claimed.onTrial();
    }

    long seq() {
        return claimed.seq();
    }

    long token() {
        return claimed.token();
    }

    short statusCode() {
        return StatusCode.of(status);
    }

    short dueCode() {
        return due.code;
    }
}
