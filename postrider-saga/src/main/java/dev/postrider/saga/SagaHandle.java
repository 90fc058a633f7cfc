package dev.postrider.saga;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** One saga that was started. Thread-safe. */
public final class SagaHandle<C> {

    private static final long FIRST_WAIT_MILLIS = 5;
    private static final long LONGEST_WAIT_MILLIS = 200;

    private final EngineParts parts;
    private final Blueprint<C> blueprint;
    private final UUID id;

    SagaHandle(EngineParts parts, Blueprint<C> blueprint, UUID id) {
        this.parts = parts;
        this.blueprint = blueprint;
        this.id = id;
    }

    /** The saga. */
    public UUID sagaId() {
        return id;
    }

    /** Returns where it is now. */
    public SagaResult<C> result() {
        return SagaResults.of(parts.store(), blueprint, row());
    }

    /** Waits until it has ended or is stuck, at most for {@code longest}, and returns where it is. */
    public SagaResult<C> await(Duration longest) throws InterruptedException {
        long end = System.nanoTime() + longest.toNanos();
        long pause = FIRST_WAIT_MILLIS;
        while (true) {
            SagaResult<C> result = result();
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (!result.status().active() || left <= 0) {
                return result;
            }
            TimeUnit.MILLISECONDS.sleep(Math.min(pause, left));
            pause = Math.min(2 * pause, LONGEST_WAIT_MILLIS);
        }
    }

    /** Draws the saga as a Mermaid flow chart: what was done, what is under way or undone, and what is left. */
    public String mermaid() {
        return Mermaid.of(new Progress<>(blueprint, row(), parts.store().journal(id)));
    }

    private SagaRow row() {
        return parts.store().find(id).orElseThrow(() -> new SagaException("There is no saga " + id));
    }
}
