package dev.postrider.verification.simulator;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One thing that happened in a history; what {@code a} and {@code b} are depends on the kind.
 *
 * @param at the store's time in nanoseconds
 * @param node which process, or {@link #NOBODY}
 * @param message the number of the message, or {@link #NOBODY}
 * @param change for {@link Kind#STATE} only
 */
record Fact(
        long at,
        Kind kind,
        int node,
        int message,
        long a,
        long b,
        String text,
        @Nullable Change change) {

    static final int NOBODY = -1;

    /** What happened. */
    enum Kind {
        /** a = sequence. */
        COMMITTED,
        ROLLED_BACK,
        /** A fetch returned the row; a = token, b = epoch. */
        FETCHED,
        /** The message is alone in flight; a = token, b = epoch. */
        TRIAL,
        /** A relay asked for an outcome; a = token, b = epoch, text = outcome. */
        SETTLE,
        /** A row changed or went; text = by what. */
        STATE,
        /** Handed to the publisher; a = token. */
        SENT,
        /** The publisher threw while it handed this message's wave over; a = token, b = messages in the wave. */
        THREW,
        /** In the broker's log; a = content. */
        STORED,
        /** The broker's answer reached the process; a = token, text = kind. */
        ANSWERED,
        /** Alive until b; a = the set of shards that it owns. */
        RENEWED,
        /** a = shard, b = epoch. */
        ACQUIRED,
        /** a = shard, b = epoch. */
        RELEASED,
        LEFT,
        STARTED,
        CRASHED,
        /** Killed by the message. */
        KILLED,
        /** Stops until b. */
        FROZEN,
        /** Stops until b, and its clock with it. */
        SUSPENDED,
        /** A graceful stop ended with messages in flight. */
        STOPPED_BUSY,
        /** A step threw; text = step. */
        STEP_FAILED,
        /** A store call had its effect but the answer was lost; text = call. */
        ANSWER_LOST,
        /** Any other fault; text = which. */
        FAULT,
        /** Somebody changed the row behind the store's back. */
        DAMAGED,
        /** The row is again what was enqueued. */
        REPAIRED,
        REQUEUED,
        DISCARDED,
        REPLAYED,
        HEALED,
        /** a = 1 if everything was drained in time, b = number of events. */
        ENDED
    }

    static Fact of(long at, Kind kind, int node, int message, String text) {
        return new Fact(at, kind, node, message, 0, 0, text, null);
    }

    static Fact changed(long at, int node, int message, String cause, Change change) {
        return new Fact(at, Kind.STATE, node, message, 0, 0, cause, change);
    }

    Fact with(long newA, long newB) {
        return new Fact(at, kind, node, message, newA, newB, text, change);
    }

    Change changeOrFail() {
        return Objects.requireNonNull(change, "change");
    }

    @Override
    public String toString() {
        return "%9.4f %-12s %-4s %-4s %s %s"
                .formatted(
                        at / 1e9,
                        kind,
                        node == NOBODY ? "" : "n" + node,
                        message == NOBODY ? "" : "m" + message,
                        values(),
                        text);
    }

    private String values() {
        return switch (kind) {
            case STATE -> String.valueOf(change);
            case ACQUIRED, RELEASED -> "shard=%d epoch=%d".formatted(a, b);
            case FETCHED, TRIAL, SETTLE -> "token=%04x epoch=%d".formatted(a & 0xFFFF, b);
            case SENT, THREW, ANSWERED -> "token=%04x".formatted(a & 0xFFFF);
            case RENEWED, FROZEN, SUSPENDED -> "until=%.3f".formatted(b / 1e9);
            case COMMITTED -> "seq=" + a;
            default -> "";
        };
    }
}
