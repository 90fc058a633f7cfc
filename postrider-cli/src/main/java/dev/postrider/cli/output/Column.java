package dev.postrider.cli.output;

import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/**
 * One column of a table: a field of a JSON object and how people read it.
 *
 * @param title what stands above the column, and in the first line of CSV
 * @param field the name of the field; a dot leads into an object
 * @param form how the value is written in a table
 */
public record Column(String title, String field, Form form) {

    /** How a table writes a value. CSV always has the value itself. */
    public enum Form {
        /** As it is. */
        TEXT,
        /** A time as the length of time since then. */
        AGE,
        /** Milliseconds as a length of time. */
        LENGTH,
        /** A number, or an object with {@code value} and {@code atLeast}. */
        COUNT,
        /** A word with a colour, such as {@code DEAD}. */
        WORD
    }

    /** Returns a column of plain text. */
    public static Column text(String title, String field) {
        return new Column(title, field, Form.TEXT);
    }

    /** Returns a column of times, written as ages. */
    public static Column age(String title, String field) {
        return new Column(title, field, Form.AGE);
    }

    /** Returns a column of milliseconds. */
    public static Column length(String title, String field) {
        return new Column(title, field, Form.LENGTH);
    }

    /** Returns a column of numbers. */
    public static Column count(String title, String field) {
        return new Column(title, field, Form.COUNT);
    }

    /** Returns a column of words with colours. */
    public static Column word(String title, String field) {
        return new Column(title, field, Form.WORD);
    }

    boolean alignedRight() {
        return form == Form.COUNT || form == Form.LENGTH;
    }

    /** Returns the value for a table. Control characters are replaced, so that no stored text steers a terminal. */
    String shown(JsonNode row, Clock clock) {
        JsonNode value = value(row);
        if (value.isMissingNode() || value.isNull()) {
            return "";
        }
        return switch (form) {
            case TEXT, WORD -> printable(plain(value));
            case COUNT -> count(value) + (row.path("atLeast").asBoolean(false) ? "+" : "");
            case LENGTH -> value.isNumber() ? Ages.of(Duration.ofMillis(value.asLong())) : printable(plain(value));
            case AGE -> age(plain(value), clock);
        };
    }

    /** Returns the value itself, for CSV. */
    String exact(JsonNode row) {
        JsonNode value = value(row);
        if (value.isMissingNode() || value.isNull()) {
            return "";
        }
        return form == Form.COUNT && value.isObject() ? plain(value.path("value")) : plain(value);
    }

    private JsonNode value(JsonNode row) {
        JsonNode value = row;
        for (String part : field.split("\\.", -1)) {
            value = value.path(part);
        }
        return value;
    }

    private static String plain(JsonNode value) {
        if (value.isArray()) {
            return Ranges.of(value);
        }
        return value.isObject() ? value.toString() : value.asString();
    }

    private static String count(JsonNode value) {
        if (value.isObject()) {
            String number = number(value.path("value"));
            return value.path("atLeast").asBoolean(false) ? number + "+" : number;
        }
        return number(value);
    }

    private static String number(JsonNode value) {
        return value.isIntegralNumber()
                ? String.format(Locale.ROOT, "%,d", value.asLong()).replace(',', ' ')
                : value.isNumber() ? String.format(Locale.ROOT, "%.1f", value.asDouble()) : printable(plain(value));
    }

    private static String age(String time, Clock clock) {
        try {
            return Ages.of(Duration.between(Instant.parse(time), clock.instant()));
        } catch (DateTimeException e) {
            return printable(time);
        }
    }

    /** Replaces characters that a terminal would obey. */
    public static String printable(String text) {
        StringBuilder clean = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (c == '\n' || c == '\t' || c == '\r') {
                clean.append(' ');
            } else {
                boolean steers = Character.isISOControl(c) || Character.getType(c) == Character.FORMAT;
                clean.appendCodePoint(steers ? '\uFFFD' : c);
            }
        });
        return clean.toString();
    }
}
