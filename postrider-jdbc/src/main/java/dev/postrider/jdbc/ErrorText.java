package dev.postrider.jdbc;

import org.jspecify.annotations.Nullable;

/** Makes an error's text fit for a column and a log line. */
final class ErrorText {

    private static final int MAX_LENGTH = 2_000;

    private ErrorText() {}

    /** Cuts at 2,000 characters and replaces what no column or terminal should see. */
    static @Nullable String clean(@Nullable String error) {
        if (error == null) {
            return null;
        }
        int length = Math.min(error.length(), MAX_LENGTH);
        StringBuilder clean = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            char c = error.charAt(i);
            if (Character.isISOControl(c)) {
                clean.append(' ');
            } else if (paired(error, i, length) || !Character.isSurrogate(c)) {
                clean.append(c);
            } else {
                clean.append('\uFFFD');
            }
        }
        return clean.toString();
    }

    private static boolean paired(String text, int i, int end) {
        char c = text.charAt(i);
        return Character.isHighSurrogate(c)
                ? i + 1 < end && Character.isLowSurrogate(text.charAt(i + 1))
                : Character.isLowSurrogate(c) && i > 0 && Character.isHighSurrogate(text.charAt(i - 1));
    }
}
