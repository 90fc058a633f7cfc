package dev.postrider.relay;

import dev.postrider.spi.ClaimedMessage;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One claimed message on its way through a relay. Guarded by {@link RelayState}. */
final class Flight {

    enum State {
        WAITING,
        SENT,
        SETTLING,
        /** The store did not take its outcome; it is tried again while the claim is kept. */
        REFUSED
    }

    /** Which claim this is: a row may be claimed again while an older claim on it is still in flight. */
    record Id(long seq, long token) {

        static Id of(ClaimedMessage claimed) {
            return new Id(claimed.seq(), claimed.token());
        }

        // Asked for several times per message: what the compiler generates for a record is slow until it is warm.
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Id id && seq == id.seq && token == id.token;
        }

        @Override
        public int hashCode() {
            return Long.hashCode(seq * 31 + token);
        }
    }

    final ClaimedMessage claimed;
    final @Nullable Lane lane;

    // Whether the row has a due time: if the message is released, the look for due rows finds it again.
    final boolean waited;
    State state = State.WAITING;
    long claimedNanos;
    long sentNanos;
    long deadlineNanos;

    Flight(ClaimedMessage claimed, @Nullable Lane lane, long nanos, boolean waited) {
        this.claimed = claimed;
        this.lane = lane;
        this.waited = waited;
        this.claimedNanos = nanos;
    }

    /** How long the broker has had it. */
    Duration took(long nanos) {
        return Duration.ofNanos(Math.max(0, nanos - sentNanos));
    }
}
