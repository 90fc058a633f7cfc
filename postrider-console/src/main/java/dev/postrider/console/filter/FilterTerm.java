package dev.postrider.console.filter;

import org.jspecify.annotations.Nullable;

/**
 * A part of a filter between spaces.
 *
 * @param word what stands before the colon; null for a bare word
 * @param value what stands after it, without quotes
 * @param quoted whether the value was in quotes
 * @param start the index of the first character
 * @param valueStart the index of the first character of the value
 * @param end the index after the last character
 */
record FilterTerm(@Nullable String word, String value, boolean quoted, int start, int valueStart, int end) {

    BrokenFilterException broken(String why) {
        return at(why, start, end);
    }

    BrokenFilterException brokenValue(String why) {
        return at(why, valueStart, end);
    }

    static BrokenFilterException at(String why, int start, int end) {
        return new BrokenFilterException("%s at %d".formatted(why, start + 1), start + 1, Math.max(1, end - start));
    }
}
