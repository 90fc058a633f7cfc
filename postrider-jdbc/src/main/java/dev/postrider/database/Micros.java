package dev.postrider.database;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Durations as databases take them. */
public final class Micros {

    // Longer than any claim, retry or delay makes sense. H2 counts in nanoseconds, so that 106,752 days overflow there.
    private static final Duration LONGEST = Duration.ofDays(100_000);

    private Micros() {}

    /** Returns the microseconds of a duration, cut to what every database can add to its clock. */
    public static long of(Duration duration) {
        Duration bounded = duration.compareTo(LONGEST) > 0 ? LONGEST : duration;
        return TimeUnit.SECONDS.toMicros(bounded.getSeconds()) + TimeUnit.NANOSECONDS.toMicros(bounded.getNano());
    }
}
