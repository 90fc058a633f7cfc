package dev.postrider.retry;

import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/** How long to wait between delivery attempts, and when to give up. Implementations are thread-safe. */
public interface RetryPolicy {

    /** A limit that is never reached. */
    int FOREVER = Integer.MAX_VALUE;

    /** After so many failed attempts a message is dead, unless the message itself says otherwise. */
    int maxAttempts();

    /** Returns the wait after failed attempt number {@code attempt}, counted from 1. */
    Duration delayAfter(int attempt, RandomGenerator random);

    /** Returns a jittered wait from one second up to five minutes, and gives up after 20 attempts. */
    static RetryPolicy defaults() {
        return exponentialWithJitter(Duration.ofSeconds(1), Duration.ofMinutes(5), 20);
    }

    /** Doubles the delay from {@code first} up to {@code max}, then waits between half of it and all of it. */
    static RetryPolicy exponentialWithJitter(Duration first, Duration max, int maxAttempts) {
        return new ExponentialRetry(first, max, maxAttempts, true);
    }

    /** Doubles the delay from {@code first} up to {@code max}. */
    static RetryPolicy exponential(Duration first, Duration max, int maxAttempts) {
        return new ExponentialRetry(first, max, maxAttempts, false);
    }

    /** Waits as listed, then as the last one for ever; the message never dies of failed attempts. */
    static RetryPolicy schedule(List<Duration> delays) {
        return new ScheduledRetry(delays);
    }
}
