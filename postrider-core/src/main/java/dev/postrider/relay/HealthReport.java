package dev.postrider.relay;

import dev.postrider.spi.ErrorText;
import dev.postrider.spi.TopicName;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a health endpoint says about a relay. A backlog or dead messages are for alerts, not for health: no restart and
 * no other instance makes them better.
 *
 * @param status whether the relay does what it is for
 * @param ready whether it should be counted on now
 * @param live whether the process is worth keeping; never depends on the database or the broker
 * @param state what it is doing, in one word
 * @param details names and values for a person, free of payload
 */
public record HealthReport(Status status, boolean ready, boolean live, State state, Map<String, Object> details) {

    private static final int MOST_TOPICS = 10;

    /** Whether the relay does what it is for. */
    public enum Status {
        /** It does. */
        UP,
        /** It is not meant to be counted on at the moment. */
        OUT_OF_SERVICE,
        /** It does not, although it should. */
        DOWN
    }

    /** What a relay is doing. */
    public enum State {
        /** Built, not started. */
        NEW,
        /** Claims and delivers. */
        RUNNING,
        /** Delivers, but a topic cannot be reached: its messages are kept, which is what an outbox is for. */
        DEGRADED,
        /** Claims nothing until resumed. */
        PAUSED,
        /** Operators want it to own nothing: it hands its shards over. */
        DRAINING,
        /** Owns no shard, ready to take over. */
        STANDBY,
        /** The database cannot be reached or refuses. */
        STORE_UNREACHABLE,
        /** Nothing can be delivered for a while, see {@code stalled} in the details. */
        STALLED,
        /** A loop died or hangs: restart the process. */
        SILENT,
        /** Stopped for good. */
        CLOSED
    }

    /** Copies the details. */
    public HealthReport {
        details = Collections.unmodifiableMap(new LinkedHashMap<>(details));
    }

    /** Reports a relay; one whose broker is away is still UP and ready. */
    public static HealthReport of(RelayHealth health) {
        return of(health, Status.UP);
    }

    /** Reports a relay; one whose broker is away is OUT_OF_SERVICE and not ready. */
    public static HealthReport ofStrict(RelayHealth health) {
        return of(health, Status.OUT_OF_SERVICE);
    }

    private static HealthReport of(RelayHealth health, Status degraded) {
        State state = state(health);
        Status status = switch (state) {
            case RUNNING, PAUSED, DRAINING, STANDBY -> Status.UP;
            case DEGRADED -> degraded;
            case NEW, CLOSED -> Status.OUT_OF_SERVICE;
            case STORE_UNREACHABLE, STALLED, SILENT -> Status.DOWN;
        };
        return new HealthReport(status, status == Status.UP, state != State.SILENT, state, details(health, state));
    }

    // A relay that does not run has no loops to judge; a loop that hangs cannot know whether the store answers.
    private static State state(RelayHealth health) {
        if (health.state() == RelayHealth.State.CLOSED) {
            return State.CLOSED;
        }
        if (health.state() == RelayHealth.State.NEW) {
            return State.NEW;
        }
        if (!health.alive()) {
            return State.SILENT;
        }
        if (!health.storeReachable()) {
            return State.STORE_UNREACHABLE;
        }
        if (health.stalled() != null) {
            return State.STALLED;
        }
        return switch (health.state()) {
            case NEW -> State.NEW;
            case PAUSED -> State.PAUSED;
            case DRAINING -> State.DRAINING;
            case STANDBY -> State.STANDBY;
            case RUNNING -> health.closedTopics().isEmpty() ? State.RUNNING : State.DEGRADED;
            case CLOSED -> State.CLOSED;
        };
    }

    private static Map<String, Object> details(RelayHealth health, State state) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("state", state.name().toLowerCase(Locale.ROOT).replace('_', '-'));
        details.put("ownedShards", health.ownedShards());
        details.put("inFlight", health.inFlight());
        if (!health.closedTopics().isEmpty()) {
            details.put("closedTopics", health.closedTopics().size());
            details.put("unreachable", names(health.closedTopics()));
        }
        if (health.restarts() > 0) {
            details.put("restarts", health.restarts());
        }
        health.stall().ifPresent(stall -> details.put("stalled", ErrorText.clean(stall)));
        health.failure().ifPresent(failure -> details.put("failure", ErrorText.clean(failure)));
        return details;
    }

    private static List<String> names(List<TopicName> topics) {
        return topics.stream()
                .limit(MOST_TOPICS)
                .map(topic -> ErrorText.clean(topic.toString()))
                .toList();
    }
}
