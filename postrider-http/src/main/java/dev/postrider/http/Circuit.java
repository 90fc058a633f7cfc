package dev.postrider.http;

import dev.postrider.retry.RetryPolicy;
import dev.postrider.spi.PublishResult;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stops requests to a host in trouble for a while, longer each time, and then lets one through to see. Thread-safe. */
final class Circuit {

    private static final Logger log = LoggerFactory.getLogger(Circuit.class);

    private final String endpoint;
    private final Pause pause;
    private final LongSupplier nanoTime;
    private final RandomGenerator random;
    private int failures;
    private boolean open;
    private long openUntil;
    private int pauses;
    private boolean probing;
    private String reason = "";

    /**
     * When to stop and for how long.
     *
     * @param failures after so many in a row
     * @param lengths how long, longer each time
     */
    record Pause(int failures, RetryPolicy lengths) {

        Pause(int failures, Duration first, Duration longest) {
            this(failures, RetryPolicy.exponentialWithJitter(first, longest, RetryPolicy.FOREVER));
        }
    }

    Circuit(String endpoint, Pause pause, LongSupplier nanoTime, RandomGenerator random) {
        this.endpoint = endpoint;
        this.pause = pause;
        this.nanoTime = nanoTime;
        this.random = random;
    }

    /** Returns what to answer instead of asking the host; empty if it may be asked. */
    synchronized Optional<PublishResult> refusal() {
        if (!open) {
            return Optional.empty();
        }
        long left = openUntil - nanoTime.getAsLong();
        if (left <= 0 && !probing) {
            return Optional.empty();
        }
        return Optional.of(PublishResult.unavailable(
                "%s is left alone for a while after: %s".formatted(endpoint, reason),
                Duration.ofNanos(Math.max(left, 0))));
    }

    /** As {@link #refusal}, and if the host may be asked, the caller does so. */
    synchronized Optional<PublishResult> enter() {
        Optional<PublishResult> refusal = refusal();
        probing = probing || (open && refusal.isEmpty());
        return refusal;
    }

    /** The host answered. */
    synchronized void well() {
        if (open) {
            log.info("{} answers again", endpoint);
        }
        open = false;
        probing = false;
        failures = 0;
        pauses = 0;
    }

    /** The host is in trouble. Requests that were under way when the circuit opened do not make the pause longer. */
    synchronized void trouble(String error) {
        failures++;
        if (open ? probing : failures >= pause.failures()) {
            pauses++;
            long nanos = pause.lengths().delayAfter(pauses, random).toNanos();
            open = true;
            probing = false;
            openUntil = nanoTime.getAsLong() + nanos;
            reason = error;
            log.warn("{} is left alone for {} ms: {}", endpoint, nanos / 1_000_000, error);
        }
    }
}
