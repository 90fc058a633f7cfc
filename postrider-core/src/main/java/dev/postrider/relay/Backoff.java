package dev.postrider.relay;

import dev.postrider.retry.RetryPolicy;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Waits longer after each failure in a row, with jitter and a cap, and never gives up. Used by one thread at a time.
 */
final class Backoff {

    private final RetryPolicy delays;
    private final RandomGenerator random;
    private int failures;

    Backoff(Duration first, Duration cap, RandomGenerator random) {
        this.delays = RetryPolicy.exponentialWithJitter(first, cap, RetryPolicy.FOREVER);
        this.random = random;
    }

    /** Returns how long to wait after one more failure. */
    long failed() {
        failures++;
        return delays.delayAfter(failures, random).toNanos();
    }

    void succeeded() {
        failures = 0;
    }
}
