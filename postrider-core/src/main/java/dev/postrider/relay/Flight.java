package dev.postrider.relay;

import dev.postrider.spi.ClaimedMessage;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One fetched message on its way through a relay. Guarded by {@link RelayState}. */
final class Flight {

    enum State {
        WAITING,
        SENT,
        SETTLING,
        /** The store did not take its outcome, or its row is locked; the outcome is written again later. */
        REFUSED
    }

    final ClaimedMessage claimed;
    final @Nullable Lane lane;

    // Whether the row has a due time: if the message is put back, the next fetch of due rows finds it.
    final boolean waited;
    State state = State.WAITING;

    // Whether the message waits for another one that holds its key.
    boolean behind;
    long sentNanos;
    long deadlineNanos;

    Flight(ClaimedMessage claimed, @Nullable Lane lane, boolean waited) {
        this.claimed = claimed;
        this.lane = lane;
        this.waited = waited;
    }

    /** How long the broker has had it. */
    Duration took(long nanos) {
        return Duration.ofNanos(Math.max(0, nanos - sentNanos));
    }
}
