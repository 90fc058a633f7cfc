package dev.postrider;

import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rules for the text fields of a message, each broken one named in the error. */
final class MessageFields {

    static final int MAX_NAME = 200;
    static final int MAX_KEY = 250;
    private static final int SHOWN = 60;
    private static final Set<String> RESERVED = Set.of("id", "type", "content-type");
    private static final String RESERVED_PREFIX = "postrider-";

    // Every database can add this to its clock; H2 would come out in the past above 106,751 days.
    private static final Duration LONGEST_DELAY = Duration.ofDays(100_000);

    private MessageFields() {}

    static String name(String field, String value) {
        if (value.isBlank()) {
            throw new IllegalArgumentException(field + " must not be blank");
        }
        return text(field, value, MAX_NAME);
    }

    static @Nullable String optional(String field, @Nullable String value, int maxLength) {
        if (value == null) {
            return null;
        }
        if (value.isEmpty()) {
            throw new IllegalArgumentException(field + " must not be empty; leave it out instead");
        }
        return text(field, value, maxLength);
    }

    static void atLeastOne(String field, int value) {
        if (value < 1) {
            throw new IllegalArgumentException("%s must be at least 1 but was %d".formatted(field, value));
        }
    }

    static void delay(Duration value) {
        if (value.isNegative()) {
            throw new IllegalArgumentException("deliverAfter must not be negative but was " + value);
        }
        if (value.compareTo(LONGEST_DELAY) > 0) {
            throw new IllegalArgumentException(
                    "deliverAfter must be at most %d days but was %s".formatted(LONGEST_DELAY.toDays(), value));
        }
    }

    static void headers(Map<String, String> headers) {
        headers.forEach((name, value) -> {
            name("header name", name);
            unreserved(name);
            clean("header " + shown(name), value);
        });
    }

    // A publisher writes these; a second value under the same name would make the consumer guess.
    private static void unreserved(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        if (RESERVED.contains(lower) || lower.startsWith(RESERVED_PREFIX)) {
            throw new IllegalArgumentException(
                    "header name %s is reserved: publishers set it from the message's own fields"
                            .formatted(shown(name)));
        }
    }

    private static String text(String field, String value, int maxLength) {
        if (value.length() > maxLength) {
            throw new IllegalArgumentException("%s must be at most %d characters but has %d: %s"
                    .formatted(field, maxLength, value.length(), shown(value)));
        }
        return clean(field, value);
    }

    // Control characters would forge log lines and broker headers; a lone surrogate has no UTF-8 form.
    private static String clean(String field, String value) {
        for (int i = 0; i < value.length(); i++) {
            if (Character.isISOControl(value.charAt(i))) {
                throw new IllegalArgumentException("%s must not contain control characters but has U+%04X at %d: %s"
                        .formatted(field, (int) value.charAt(i), i, shown(value)));
            }
        }
        try {
            StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(value));
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("%s is not valid Unicode: %s".formatted(field, shown(value)), e);
        }
        return value;
    }

    private static String shown(String value) {
        String head = value.length() > SHOWN ? value.substring(0, SHOWN) + "…" : value;
        StringBuilder safe = new StringBuilder("'");
        head.chars().forEach(c -> {
            if (Character.isISOControl(c) || Character.isSurrogate((char) c)) {
                safe.append("\\u%04x".formatted(c));
            } else {
                safe.append((char) c);
            }
        });
        return safe.append('\'').toString();
    }
}
