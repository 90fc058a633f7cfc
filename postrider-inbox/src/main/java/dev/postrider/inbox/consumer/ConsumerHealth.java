package dev.postrider.inbox.consumer;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * How a consumer is. A message that fails or a broker that is away is for alerts: no restart makes either better.
 *
 * @param state what it is doing
 * @param alive whether all its threads run; if false, restart the process
 * @param inHand how many messages it has received and not acknowledged
 * @param waiting where the messages were read that failed and wait for their next attempt
 * @param underWay how long the longest call of a handler has been running; zero if none is
 * @param lag how many messages are still to be received, if the broker tells
 * @param lastFailure what went wrong last, with a message or with the broker; null if nothing is wrong now
 * @param restarts how often a thread ended by an error and was started again
 */
public record ConsumerHealth(
        State state,
        boolean alive,
        int inHand,
        List<String> waiting,
        Duration underWay,
        OptionalLong lag,
        @Nullable String lastFailure,
        long restarts) {

    /** What a consumer is doing. */
    public enum State {
        /** Built, not started. */
        NEW,
        /** Receives and handles. */
        RUNNING,
        /** Tries to reach the broker. */
        CONNECTING,
        /** Stopped for good. */
        CLOSED
    }

    /** Copies the places. */
    public ConsumerHealth {
        waiting = List.copyOf(waiting);
    }

    /** Returns what went wrong last. */
    public Optional<String> failure() {
        return Optional.ofNullable(lastFailure);
    }
}
