package dev.postrider.testkit;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands still until it is told to advance. Thread-safe. */
public final class VirtualClock extends Clock {

    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    private final Instant begin;
    private final ZoneId zone;
    private final AtomicLong nanos;

    /** Begins on 1 January 2026, UTC. */
    public VirtualClock() {
        this(BEGIN);
    }

    /** Begins at this instant, UTC. */
    public VirtualClock(Instant begin) {
        this(begin, ZoneOffset.UTC, new AtomicLong());
    }

    private VirtualClock(Instant begin, ZoneId zone, AtomicLong nanos) {
        this.begin = begin;
        this.zone = zone;
        this.nanos = nanos;
    }

    /** Lets time pass. */
    public void advance(Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException("Time does not run backwards: " + duration);
        }
        nanos.addAndGet(duration.toNanos());
    }

    /** Returns the time since the beginning, as a monotonic clock counts it. */
    public long nanoTime() {
        return nanos.get();
    }

    @Override
    public Instant instant() {
        return begin.plusNanos(nanos.get());
    }

    @Override
    public ZoneId getZone() {
        return zone;
    }

    /** Returns a clock in another zone that advances together with this one. */
    @Override
    public Clock withZone(ZoneId other) {
        return new VirtualClock(begin, other, nanos);
    }
}
