package dev.postrider.inbox.consumer;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** How long to wait after a failure: twice as long each time, with jitter. */
record RetryDelay(Duration first, Duration max) {

    private static final int MAX_DOUBLINGS = 62;

    RetryDelay {
        if (first.isNegative() || first.isZero()) {
            throw new IllegalArgumentException("first must be positive but was " + first);
        }
        if (max.compareTo(first) < 0) {
            throw new IllegalArgumentException("max %s is shorter than first %s".formatted(max, first));
        }
    }

    /** Returns the wait in nanoseconds after so many failures in a row. */
    long after(int failures) {
        int doublings = Math.min(failures - 1, MAX_DOUBLINGS);
        boolean bounded = first.toNanos() > max.toNanos() >> doublings;
        long delay = bounded ? max.toNanos() : first.toNanos() << doublings;
        return ThreadLocalRandom.current().nextLong(delay / 2, delay + 1);
    }
}
