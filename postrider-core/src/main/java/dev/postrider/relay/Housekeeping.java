package dev.postrider.relay;

import dev.postrider.spi.ClosedGate;
import dev.postrider.spi.ErrorText;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.TopicName;
import dev.postrider.spi.Unblocked;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Work of a relay that neither delivery nor ownership waits for, in bounded steps: frees messages that wait behind
 * nothing, and records which topics cannot be reached. For one thread.
 */
final class Housekeeping {

    private static final int MOST_GATES = 100;
    private static final long LAP_EVERY = Duration.ofSeconds(30).toNanos();
    static final long STEP_EVERY = Duration.ofMillis(20).toNanos();
    private static final long TURN_EVERY = Duration.ofSeconds(1).toNanos();

    private final OutboxStore store;
    private final RelayState state;
    private final RelayConfig config;
    private Set<Integer> shards = Set.of();
    private Map<TopicName, String> savedGates = Map.of();
    private long unblockedTo;
    private long nextLap;

    Housekeeping(OutboxStore store, RelayState state, RelayConfig config) {
        this.store = store;
        this.state = state;
        this.config = config;
        this.nextLap = config.nanoTime.getAsLong();
    }

    /** Takes one step and returns how many nanoseconds to wait before the next. */
    long turn() {
        boolean more = unblock();
        saveGates();
        return more ? STEP_EVERY : TURN_EVERY;
    }

    // A person who looks at a message that waits sees here why it does.
    private void saveGates() {
        List<ClosedGate> closed = state.closedGates(MOST_GATES);
        Map<TopicName, String> errors =
                closed.stream().collect(Collectors.toMap(ClosedGate::topic, gate -> ErrorText.clean(gate.error())));
        if (!errors.equals(savedGates)) {
            store.saveGates(config.relay, closed);
            savedGates = errors;
        }
    }

    // A relay that gained shards begins a lap at once: their last owner may have crashed.
    private boolean unblock() {
        long nanos = config.nanoTime.getAsLong();
        Set<Integer> owned = state.shards();
        if (!shards.containsAll(owned)) {
            unblockedTo = 0;
            nextLap = nanos;
        }
        shards = owned;
        if (owned.isEmpty() || nextLap - nanos > 0) {
            return false;
        }
        Unblocked step = store.unblock(owned, unblockedTo);
        unblockedTo = step.next();
        if (unblockedTo == 0) {
            nextLap = nanos + LAP_EVERY;
        }
        return unblockedTo > 0;
    }
}
