package dev.postrider.verification.simulator;

import dev.postrider.MessageStatus;
import org.jspecify.annotations.Nullable;

/**
 * How a row changed.
 *
 * @param to null if the row is no longer there
 */
record Change(MessageStatus from, @Nullable MessageStatus to, int attemptsFrom, int attemptsTo) {

    boolean is(MessageStatus expectedFrom, MessageStatus expectedTo) {
        return from == expectedFrom && to == expectedTo;
    }

    /** By how much the attempts rose. */
    int rise() {
        return attemptsTo - attemptsFrom;
    }

    @Override
    public String toString() {
        return "%s→%s attempts %d→%d".formatted(from, to == null ? "gone" : to, attemptsFrom, attemptsTo);
    }
}
