package dev.postrider.cli.output;

import java.time.Duration;
import java.util.Locale;

/** Writes lengths of time as people say them, such as {@code 3 m 12 s}. */
public final class Ages {

    private Ages() {}

    /** Returns the two largest units of a length of time. */
    public static String of(Duration length) {
        if (length.isNegative()) {
            return "0 s";
        }
        long seconds = length.toSeconds();
        if (seconds < 10) {
            return String.format(Locale.ROOT, "%.1f s", length.toMillis() / 1000.0);
        }
        if (seconds < 60) {
            return seconds + " s";
        }
        if (seconds < 3_600) {
            return pair(seconds / 60, "m", seconds % 60, "s");
        }
        if (seconds < 86_400) {
            return pair(seconds / 3_600, "h", seconds % 3_600 / 60, "m");
        }
        return pair(seconds / 86_400, "d", seconds % 86_400 / 3_600, "h");
    }

    private static String pair(long large, String largeUnit, long small, String smallUnit) {
        return small == 0
                ? "%d %s".formatted(large, largeUnit)
                : "%d %s %d %s".formatted(large, largeUnit, small, smallUnit);
    }
}
