package dev.postrider.database;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Durations as databases take them. */
public final class Micros {

    // Longer than any claim, retry or delay makes sense, short enough for every database's date arithmetic.
    private static final Duration LONGEST = Duration.ofDays(365_000);

    private Micros() {}

    /** Returns the microseconds of a duration, cut to what every database can add to its clock. */
    public static long of(Duration duration) {
        Duration bounded = duration.compareTo(LONGEST) > 0 ? LONGEST : duration;
        return TimeUnit.SECONDS.toMicros(bounded.getSeconds()) + TimeUnit.NANOSECONDS.toMicros(bounded.getNano());
    }
}
