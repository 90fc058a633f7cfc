package dev.postrider.console.route;

import java.util.List;
import java.util.Objects;

/**
 * A parameter of the query or a field of the body.
 *
 * @param name what it is called
 * @param kind what it holds
 * @param required whether a request without it is refused
 * @param least the lower bound
 * @param most the upper bound
 * @param words the only values that a text may have; empty if any is allowed
 * @param text what it means, in one sentence
 */
public record RouteField(
        String name, FieldKind kind, boolean required, long least, long most, List<String> words, String text) {

    /** The longest text unless a field says something else. */
    public static final int MAX_TEXT = 2_000;

    /** Checks the bounds. */
    public RouteField {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(kind, "kind");
        words = List.copyOf(words);
        if (least > most) {
            throw new IllegalArgumentException("%s: %d is above %d".formatted(name, least, most));
        }
    }

    /** Returns an optional text. */
    public static RouteField text(String name, String text) {
        return new RouteField(name, FieldKind.TEXT, false, 1, MAX_TEXT, List.of(), text);
    }

    /** Returns an optional text that is one of these words. */
    public static RouteField word(String name, List<String> words, String text) {
        return new RouteField(name, FieldKind.TEXT, false, 1, MAX_TEXT, words, text);
    }

    /** Returns an optional whole number. */
    public static RouteField integer(String name, long least, long most, String text) {
        return new RouteField(name, FieldKind.INTEGER, false, least, most, List.of(), text);
    }

    /** Returns an optional field of another kind. */
    public static RouteField of(String name, FieldKind kind, long least, long most, String text) {
        return new RouteField(name, kind, false, least, most, List.of(), text);
    }

    /** Returns this field, without which a request is refused. */
    public RouteField mandatory() {
        return new RouteField(name, kind, true, least, most, words, text);
    }

    /** Returns this field with another upper bound. */
    public RouteField upTo(long bound) {
        return new RouteField(name, kind, required, least, bound, words, text);
    }
}
