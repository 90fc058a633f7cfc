package dev.postrider.micrometer;

import java.time.Duration;

/** The checks of what a caller names. */
final class Names {

    private Names() {}

    static String of(String what, String name) {
        if (!name.matches("[A-Za-z0-9._-]{1,60}")) {
            throw new IllegalArgumentException(
                    "%s must be 1 to 60 letters, digits, dots, dashes or underscores but was '%s'"
                            .formatted(what, name));
        }
        return name;
    }

    static String system(String name) {
        if (!name.matches("[a-z0-9_.-]{1,40}")) {
            throw new IllegalArgumentException(
                    "system must be 1 to 40 lower-case letters, digits, dots, dashes or underscores but was '%s'"
                            .formatted(name));
        }
        return name;
    }

    static Duration positive(String what, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException("%s must be positive but was %s".formatted(what, value));
        }
        return value;
    }
}
