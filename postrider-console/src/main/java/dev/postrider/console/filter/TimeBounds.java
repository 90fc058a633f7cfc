package dev.postrider.console.filter;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * From when until when, in whole microseconds.
 *
 * @param from at or after; null for any
 * @param before before; null for any
 */
record TimeBounds(@Nullable Instant from, @Nullable Instant before) {

    private static final Pattern BOUND = Pattern.compile("(>=|<=|>|<)(.+)");
    private static final Pattern AGE = Pattern.compile("(>=|<=|>|<)(\\d{1,9})(ms|s|m|h|d|w)");
    private static final String RANGE = "..";
    private static final Map<String, Duration> UNITS = Map.of(
            "ms", Duration.ofMillis(1),
            "s", Duration.ofSeconds(1),
            "m", Duration.ofMinutes(1),
            "h", Duration.ofHours(1),
            "d", Duration.ofDays(1),
            "w", Duration.ofDays(7));
    private static final Duration LONGEST = Duration.ofDays(36_500);

    // What every database can compare.
    private static final Instant EARLIEST = Instant.parse("1971-01-01T00:00:00Z");
    private static final Instant LATEST = Instant.parse("9997-01-01T00:00:00Z");

    /** A moment, or a day with its end. */
    private record Moment(Instant start, Instant end, boolean day) {}

    /** Reads an age such as {@code >5m}; empty if it is none. */
    static Optional<TimeBounds> age(FilterTerm term, Instant now) {
        Matcher age = AGE.matcher(term.value());
        if (!age.matches()) {
            return Optional.empty();
        }
        Duration duration = Objects.requireNonNull(UNITS.get(age.group(3))).multipliedBy(Long.parseLong(age.group(2)));
        if (duration.compareTo(LONGEST) > 0) {
            throw term.brokenValue("An age of more than %d days".formatted(LONGEST.toDays()));
        }
        Instant then = now.minus(duration).truncatedTo(ChronoUnit.MICROS);
        return Optional.of(age.group(1).startsWith(">") ? new TimeBounds(null, then) : new TimeBounds(then, null));
    }

    /** Reads a day, a range or a bound. */
    static TimeBounds times(FilterTerm term) {
        String text = term.value();
        int dots = text.indexOf(RANGE);
        TimeBounds bounds = dots >= 0 ? range(term, text.substring(0, dots), text.substring(dots + 2)) : single(term);
        if (bounds.from != null && bounds.before != null && !bounds.from.isBefore(bounds.before)) {
            throw term.brokenValue("A range that ends before it begins");
        }
        return bounds;
    }

    private static TimeBounds range(FilterTerm term, String from, String to) {
        if (from.isEmpty() && to.isEmpty()) {
            throw term.brokenValue("A range without a begin or an end");
        }
        return new TimeBounds(
                from.isEmpty() ? null : moment(term, from).start(),
                to.isEmpty()
                        ? null
                        : moment(term, to).day()
                                ? moment(term, to).end()
                                : moment(term, to).start());
    }

    private static TimeBounds single(FilterTerm term) {
        Matcher bound = BOUND.matcher(term.value());
        if (!bound.matches()) {
            Moment moment = moment(term, term.value());
            return new TimeBounds(moment.start(), moment.end());
        }
        Moment moment = moment(term, bound.group(2));
        return switch (bound.group(1)) {
            case ">=" -> new TimeBounds(moment.start(), null);
            case ">" -> new TimeBounds(moment.end(), null);
            case "<" -> new TimeBounds(null, moment.start());
            default -> new TimeBounds(null, moment.end());
        };
    }

    private static Moment moment(FilterTerm term, String text) {
        try {
            if (text.length() == "2026-11-01".length()) {
                LocalDate day = LocalDate.parse(text);
                return checked(term, new Moment(start(day), start(day.plusDays(1)), true));
            }
            Instant time = Instant.parse(text).truncatedTo(ChronoUnit.MICROS);
            return checked(term, new Moment(time, time.plus(1, ChronoUnit.MICROS), false));
        } catch (DateTimeException e) {
            throw term.brokenValue("No time such as 2026-11-01 or 2026-11-01T12:00:00Z");
        }
    }

    private static Moment checked(FilterTerm term, Moment moment) {
        if (moment.start().isBefore(EARLIEST) || moment.end().isAfter(LATEST)) {
            throw term.brokenValue("A time before 1971 or after 9996");
        }
        return moment;
    }

    private static Instant start(LocalDate day) {
        return day.atStartOfDay(ZoneOffset.UTC).toInstant();
    }

    /** Returns the text that {@link #times} reads. */
    String text() {
        if (from != null && before != null) {
            return from + RANGE + before;
        }
        return from != null ? ">=" + from : "<" + before;
    }
}
