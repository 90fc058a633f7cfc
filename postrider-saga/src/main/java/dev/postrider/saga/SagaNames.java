package dev.postrider.saga;

import java.util.regex.Pattern;

/** The grammar of names: they are stored, drawn and part of keys. */
final class SagaNames {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");
    private static final int MAX_KEY = 200;

    private SagaNames() {}

    static String check(String what, String value) {
        if (!NAME.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    "The name of a %s must match %s but was '%s'".formatted(what, NAME, value));
        }
        return value;
    }

    static String key(String value) {
        if (value.isEmpty() || value.length() > MAX_KEY) {
            throw new IllegalArgumentException(
                    "A business key has 1 to %d characters but this has %d".formatted(MAX_KEY, value.length()));
        }
        return value;
    }
}
