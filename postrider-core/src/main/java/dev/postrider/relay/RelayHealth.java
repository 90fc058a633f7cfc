package dev.postrider.relay;

import dev.postrider.spi.TopicName;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a relay is.
 *
 * @param alive whether every loop has a thread and no turn hangs; a turn that waits for the database does not hang
 *     until it outlasts every time-out. If false, restart the process
 * @param storeReachable whether the first heartbeat succeeded, the last turn of every loop did, and no heartbeat is
 *     overdue
 * @param state what the relay is doing
 * @param ownedShards how many shards are its own
 * @param inFlight how many messages are claimed and not settled
 * @param closedTopics the topics that cannot be reached, in order; those a person has paused are not among them
 * @param lastFailure what went wrong in the last turn; null if nothing did
 * @param stalled why nothing is delivered although the relay should; null while it can deliver
 * @param restarts how often a loop of the relay or a thread of its publisher ended by an error and was started again
 */
public record RelayHealth(
        boolean alive,
        boolean storeReachable,
        State state,
        int ownedShards,
        int inFlight,
        List<TopicName> closedTopics,
        @Nullable String lastFailure,
        @Nullable String stalled,
        long restarts) {

    /** Copies the topics. */
    public RelayHealth {
        closedTopics = List.copyOf(closedTopics);
    }

    /** What a relay is doing. */
    public enum State {
        /** Built, not started. */
        NEW,
        /** Claims and delivers. */
        RUNNING,
        /** Runs, but owns no shard. */
        STANDBY,
        /** Claims nothing until resumed, and keeps its shards. */
        PAUSED,
        /** Operators want it to own nothing: it claims nothing and hands its shards over. */
        DRAINING,
        /** Stopped for good. */
        CLOSED
    }

    /** Returns what went wrong in the last turn. */
    public Optional<String> failure() {
        return Optional.ofNullable(lastFailure);
    }

    /** Returns why nothing is delivered although the relay should. */
    public Optional<String> stall() {
        return Optional.ofNullable(stalled);
    }
}
