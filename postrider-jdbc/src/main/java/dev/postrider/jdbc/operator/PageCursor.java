package dev.postrider.jdbc.operator;

import dev.postrider.admin.Page;
import dev.postrider.spi.ErrorText;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How far a person has paged: everything up to this time and number has been shown.
 *
 * @param at the epoch where only the number counts
 */
record PageCursor(Instant at, long seq) {

    private static final Pattern CURSOR = Pattern.compile("([a-z]+)-(up|down)-(\\d{1,18})-(\\d{1,19})");
    private static final PageCursor LOWEST = new PageCursor(Instant.EPOCH, 0);
    private static final PageCursor HIGHEST = new PageCursor(Instant.parse("9998-01-01T00:00:00Z"), Long.MAX_VALUE);
    private static final int SHOWN = 60;

    static PageCursor of(long seq) {
        return new PageCursor(Instant.EPOCH, seq);
    }

    /** Returns where one begins who goes this way. */
    static PageCursor first(IndexDirection direction) {
        return direction == IndexDirection.UP ? LOWEST : HIGHEST;
    }

    /** Returns where one ends who goes this way. */
    static PageCursor last(IndexDirection direction) {
        return direction == IndexDirection.UP ? HIGHEST : LOWEST;
    }

    /** Returns where {@code page} begins in an answer of the kind {@code what}. */
    static PageCursor of(String what, Page page) {
        IndexDirection direction = IndexDirection.of(page.order());
        if (page.cursor() == null) {
            return first(direction);
        }
        Matcher cursor = CURSOR.matcher(page.cursor());
        if (!cursor.matches()
                || !cursor.group(1).equals(what)
                || !cursor.group(2).equals(name(direction))) {
            throw foreign(page.cursor());
        }
        try {
            Instant at = Instant.EPOCH.plus(Long.parseLong(cursor.group(3)), ChronoUnit.MICROS);
            return new PageCursor(at, Long.parseLong(cursor.group(4)));
        } catch (NumberFormatException e) {
            throw foreign(page.cursor());
        }
    }

    String cursor(String what, IndexDirection direction) {
        return "%s-%s-%d-%d".formatted(what, name(direction), ChronoUnit.MICROS.between(Instant.EPOCH, at), seq);
    }

    private static String name(IndexDirection direction) {
        return direction == IndexDirection.UP ? "up" : "down";
    }

    private static IllegalArgumentException foreign(String cursor) {
        return new IllegalArgumentException(
                "The cursor '%s' is not one of this question".formatted(ErrorText.clean(cursor, SHOWN)));
    }
}
