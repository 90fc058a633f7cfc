package dev.postrider.retry;

import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/** Waits as listed, then as the last one for ever. */
record ScheduledRetry(List<Duration> delays) implements RetryPolicy {

    ScheduledRetry {
        if (delays.isEmpty()) {
            throw new IllegalArgumentException("A schedule needs at least one delay");
        }
        delays = List.copyOf(delays);
        for (Duration delay : delays) {
            if (delay.isNegative()) {
                throw new IllegalArgumentException("A delay must not be negative but was " + delay);
            }
        }
    }

    @Override
    public int maxAttempts() {
        return FOREVER;
    }

    @Override
    public Duration delayAfter(int attempt, RandomGenerator random) {
        return delays.get(Math.min(attempt, delays.size()) - 1);
    }
}
