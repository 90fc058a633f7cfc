package dev.postrider.console.live;

import dev.postrider.console.route.CappedCount;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** How durations, times and counts are written in sentences. */
final class Wording {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter DAY =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private Wording() {}

    static String duration(Duration duration) {
        long seconds = duration.toSeconds();
        if (seconds < 10) {
            return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1000.0);
        }
        if (seconds < 60) {
            return seconds + " s";
        }
        if (seconds < 3_600) {
            return "%d m %d s".formatted(duration.toMinutes(), duration.toSecondsPart());
        }
        if (seconds < 86_400) {
            return "%d h %d m".formatted(duration.toHours(), duration.toMinutesPart());
        }
        return "%d d %d h".formatted(duration.toDays(), duration.toHoursPart());
    }

    /** Writes a time, with its day unless that is today. */
    static String time(Instant time, Instant now) {
        boolean today = time.atZone(ZoneOffset.UTC)
                .toLocalDate()
                .equals(now.atZone(ZoneOffset.UTC).toLocalDate());
        return (today ? TIME : DAY).format(time);
    }

    static String count(CappedCount count) {
        String value = String.format(Locale.ROOT, "%,d", count.value());
        return count.atLeast() ? value + " or more" : value;
    }
}
