package dev.postrider.relay;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Waits longer after each failure in a row, with jitter and a cap, and never gives up. Used by one thread at a time.
 */
final class Backoff {

    private final long firstNanos;
    private final long capNanos;
    private final RandomGenerator random;
    private long nextNanos;

    Backoff(Duration first, Duration cap, RandomGenerator random) {
        this.firstNanos = first.toNanos();
        this.capNanos = cap.toNanos();
        this.random = random;
        this.nextNanos = firstNanos;
    }

    /** Returns how long to wait after one more failure. */
    long failed() {
        long delay = nextNanos;
        nextNanos = Math.min(nextNanos * 2, capNanos);
        return random.nextLong(delay / 2, delay + 1);
    }

    void succeeded() {
        nextNanos = firstNanos;
    }
}
