package dev.postrider.retry;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** Doubles the wait after each failure, bounded before the jitter is applied. */
record ExponentialRetry(Duration first, Duration max, int maxAttempts, boolean jitter) implements RetryPolicy {

    private static final int MAX_DOUBLINGS = 62;

    ExponentialRetry {
        if (first.isNegative() || first.isZero()) {
            throw new IllegalArgumentException("first must be positive but was " + first);
        }
        if (max.compareTo(first) < 0) {
            throw new IllegalArgumentException("max %s is shorter than first %s".formatted(max, first));
        }
        if (maxAttempts < 1) {
            throw new IllegalArgumentException("maxAttempts must be at least 1 but was " + maxAttempts);
        }
    }

    @Override
    public Duration delayAfter(int attempt, RandomGenerator random) {
        int doublings = Math.min(attempt - 1, MAX_DOUBLINGS);
        boolean bounded = first.toNanos() > max.toNanos() >> doublings;
        long delay = bounded ? max.toNanos() : first.toNanos() << doublings;
        return Duration.ofNanos(jitter ? random.nextLong(delay / 2, delay + 1) : delay);
    }
}
