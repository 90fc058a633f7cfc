package dev.postrider.relay;

import dev.postrider.spi.ClosedGate;
import dev.postrider.spi.TopicName;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * One gate per topic that gave trouble. A closed gate lets nothing through, so no message burns an attempt on a broker
 * that is away; after a while it is half open, and the answer to one message opens or closes it. A person closes a gate
 * by pausing the topic. Not thread-safe: guarded by {@link RelayState}.
 */
final class TopicGates {

    private static final Duration FIRST_WAIT = Duration.ofMillis(100);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);
    private static final Duration UNTRIED = Duration.ofMinutes(1);

    private final Map<TopicName, Gate> gates = new HashMap<>();
    private final Set<TopicName> paused = new HashSet<>();
    private final RandomGenerator random;

    private enum State {
        CLOSED,
        HALF_OPEN
    }

    private static final class Gate {
        private State state = State.CLOSED;
        private long opensAt;
        private boolean failed;
        private long failedSince;
        private String error = "";
        private final Backoff backoff;

        private Gate(long nanos, Backoff backoff) {
            this.opensAt = nanos;
            this.backoff = backoff;
        }
    }

    TopicGates(RandomGenerator random) {
        this.random = random;
    }

    /** Closes the gate for longer each time, at least for that long; returns false if it was closed already. */
    boolean close(TopicName topic, long nanos, Duration atLeast, String error) {
        Gate gate = gate(topic, nanos);
        gate.error = error;
        if (!gate.failed) {
            gate.failedSince = nanos;
        }
        if (gate.state == State.CLOSED && gate.opensAt - nanos > 0) {
            return false;
        }
        gate.failed = true;
        gate.state = State.CLOSED;
        gate.opensAt = nanos + Math.max(gate.backoff.failed(), atLeast.toNanos());
        return true;
    }

    /** The broker answered for this topic; returns true if that opened the gate. */
    boolean answered(TopicName topic) {
        Gate gate = gates.get(topic);
        if (gate == null || gate.state == State.CLOSED || paused.contains(topic)) {
            return false;
        }
        gates.remove(topic);
        return true;
    }

    void pause(TopicName topic, long nanos) {
        paused.add(topic);
        Gate gate = gate(topic, nanos);
        gate.state = State.CLOSED;
        gate.opensAt = nanos;
    }

    void resume(TopicName topic) {
        paused.remove(topic);
    }

    /** Half-opens every gate whose time has come. */
    void openDue(long nanos) {
        gates.forEach((topic, gate) -> {
            if (gate.state == State.CLOSED && gate.opensAt - nanos <= 0 && !paused.contains(topic)) {
                gate.state = State.HALF_OPEN;
            }
        });
    }

    /** Returns whether no topic gives trouble, so that none has to be looked up. */
    boolean allOpen() {
        return gates.isEmpty();
    }

    boolean isClosed(TopicName topic) {
        Gate gate = gates.get(topic);
        return gate != null && gate.state == State.CLOSED;
    }

    boolean isHalfOpen(TopicName topic) {
        Gate gate = gates.get(topic);
        return gate != null && gate.state == State.HALF_OPEN;
    }

    /**
     * Returns the topics that did not answer when they were last tried, and not those somebody has paused. A gate that
     * is half open is still in trouble, unless nobody has come to try it for a while.
     */
    List<TopicName> unreachable(long nanos) {
        return inTrouble(nanos).map(Map.Entry::getKey).sorted().toList();
    }

    /** Returns up to so many of the same topics, with what is known of them. */
    List<ClosedGate> closedGates(long nanos, int most) {
        return inTrouble(nanos)
                .sorted(Map.Entry.comparingByKey())
                .limit(most)
                .map(each -> new ClosedGate(
                        each.getKey(), Duration.ofNanos(nanos - each.getValue().failedSince), each.getValue().error))
                .toList();
    }

    private Stream<Map.Entry<TopicName, Gate>> inTrouble(long nanos) {
        return gates.entrySet().stream()
                .filter(each -> each.getValue().failed && !paused.contains(each.getKey()))
                .filter(each ->
                        each.getValue().state == State.CLOSED || nanos - each.getValue().opensAt < UNTRIED.toNanos());
    }

    // The clock may begin anywhere, so a new gate begins now and not at zero.
    private Gate gate(TopicName topic, long nanos) {
        return gates.computeIfAbsent(topic, t -> new Gate(nanos, new Backoff(FIRST_WAIT, LONGEST_WAIT, random)));
    }
}
