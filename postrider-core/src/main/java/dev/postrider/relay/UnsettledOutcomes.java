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
 * nothing else. Outcomes whose rows another session has locked are written again together, ever more rarely. For one
 * thread.
 */
final class UnsettledOutcomes {

    private static final Duration FIRST_WAIT = Duration.ofSeconds(1);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

    private final RelayConfig config;
    private final PriorityQueue<Apart> apart = new PriorityQueue<>((a, b) -> Long.signum(a.dueNanos - b.dueNanos));
    private final Backoff lockBackoff;
    private final List<Settlement> locked = new ArrayList<>();
    private List<Settlement> batch = List.of();
    private long lockedDueNanos;

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

    UnsettledOutcomes(RelayConfig config) {
        this.config = config;
        this.lockBackoff = new Backoff(FIRST_WAIT, LONGEST_WAIT, config.random);
    }

    /** Another session has locked the rows of these outcomes. */
    void locked(List<Settlement> outcomes) {
        if (outcomes.isEmpty()) {
            return;
        }
        // Those that wait already keep their time, however many join them.
        if (locked.isEmpty()) {
            lockedDueNanos = config.nanoTime.getAsLong() + lockBackoff.failed();
        }
        locked.addAll(outcomes);
    }

    /** The outcomes that {@link #takeLockedDue} gave were written, but for those that are {@link #locked} again. */
    void lockedWritten() {
        if (locked.isEmpty()) {
            lockBackoff.succeeded();
        }
    }

    /** They were not; returns the dead messages among them, which are written one by one from now on. */
    List<Settlement> lockedFailed(List<Settlement> outcomes) {
        List<Apart> dead = separate(outcomes);
        dead.forEach(this::refused);
        locked(withoutDead(outcomes));
        return dead.stream().map(each -> each.dead).toList();
    }

    boolean hasLockedDue() {
        return !locked.isEmpty() && lockedDueNanos - config.nanoTime.getAsLong() <= 0;
    }

    /** Takes the outcomes whose rows were locked, if it is time to try again. */
    List<Settlement> takeLockedDue() {
        if (!hasLockedDue()) {
            return List.of();
        }
        List<Settlement> due = List.copyOf(locked);
        locked.clear();
        return due;
    }

    /** Returns what to write together: what was not taken the last time, or else fresh outcomes. */
    List<Settlement> batch(Supplier<List<Settlement>> fresh) {
        if (batch.isEmpty()) {
            batch = fresh.get();
            // The database has refused dead records and may still do so: the others must not fail with them.
            if (!apart.isEmpty()) {
                separate(batch);
                batch = withoutDead(batch);
            }
        }
        return batch;
    }

    void batchWritten() {
        batch = List.of();
    }

    /** The batch failed; returns its dead messages, which are apart from now on. */
    List<Settlement> batchFailed() {
        List<Apart> dead = separate(batch);
        dead.forEach(this::refused);
        batch = withoutDead(batch);
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

    private List<Apart> separate(List<Settlement> outcomes) {
        List<Apart> dead = outcomes.stream()
                .filter(UnsettledOutcomes::isDead)
                .map(each -> new Apart(each, config))
                .toList();
        apart.addAll(dead);
        return dead;
    }

    private static List<Settlement> withoutDead(List<Settlement> outcomes) {
        return outcomes.stream().filter(each -> !isDead(each)).toList();
    }

    private static boolean isDead(Settlement settlement) {
        return settlement.outcome() == Settlement.Outcome.DEAD;
    }
}
