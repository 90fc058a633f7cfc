package dev.postrider.relay;

import dev.postrider.spi.Settlement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Outcomes that are taken but that the store does not know yet. A batch that fails is written again without its dead
 * messages; those are then written one by one, ever more rarely, so that a database which refuses dead records holds up
 * nothing else. For one thread.
 */
final class Unwritten {

    private static final Duration FIRST_WAIT = Duration.ofSeconds(1);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

    private final RelayConfig config;
    private final PriorityQueue<Apart> apart = new PriorityQueue<>((a, b) -> Long.signum(a.dueNanos - b.dueNanos));
    private List<Settlement> batch = List.of();

    /** A dead message that is written on its own. */
    static final class Apart {

        final Settlement dead;
        private final Backoff backoff;
        private long dueNanos;
        private boolean refused;

        private Apart(Settlement dead, RelayConfig config) {
            this.dead = dead;
            this.backoff = new Backoff(FIRST_WAIT, LONGEST_WAIT, config.random);
            this.dueNanos = config.nanoTime.getAsLong();
        }
    }

    Unwritten(RelayConfig config) {
        this.config = config;
    }

    /** Returns what to write together: what was not taken the last time, or else fresh outcomes. */
    List<Settlement> batch(Supplier<List<Settlement>> fresh) {
        if (batch.isEmpty()) {
            batch = fresh.get();
            // The database has refused dead records and may still do so: the others must not fail with them.
            if (!apart.isEmpty()) {
                separate();
            }
        }
        return batch;
    }

    void batchWritten() {
        batch = List.of();
    }

    /** The batch failed; returns its dead messages, which are apart from now on. */
    List<Settlement> batchFailed() {
        List<Apart> dead = separate();
        dead.forEach(this::refused);
        return dead.stream().map(each -> each.dead).toList();
    }

    /** Returns a dead message to be written on its own now, or null; it is due until it was written or refused. */
    @Nullable Apart due() {
        Apart first = apart.peek();
        return first != null && first.dueNanos - config.nanoTime.getAsLong() <= 0 ? first : null;
    }

    void written(Apart dead) {
        apart.remove(dead);
    }

    /** The store did not take it; returns whether that is so for the first time. */
    boolean refused(Apart dead) {
        boolean first = !dead.refused;
        dead.refused = true;
        apart.remove(dead);
        dead.dueNanos = config.nanoTime.getAsLong() + dead.backoff.failed();
        apart.add(dead);
        return first;
    }

    private List<Apart> separate() {
        List<Settlement> others = new ArrayList<>(batch.size());
        List<Apart> dead = new ArrayList<>();
        for (Settlement settlement : batch) {
            if (settlement.outcome() == Settlement.Outcome.DEAD) {
                dead.add(new Apart(settlement, config));
            } else {
                others.add(settlement);
            }
        }
        batch = others;
        apart.addAll(dead);
        return dead;
    }
}
