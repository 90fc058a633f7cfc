package dev.postrider.http;

import org.jspecify.annotations.Nullable;

/** Makes a text that may come from the other side harmless and short. */
final class ErrorText {

    private static final int MAX_LENGTH = 200;

    private ErrorText() {}

    /** Keeps printable ASCII, at most 200 characters. */
    static String clean(@Nullable String text) {
        if (text == null) {
            return "";
        }
        StringBuilder clean = new StringBuilder();
        for (int i = 0; i < text.length() && i < MAX_LENGTH; i++) {
            char c = text.charAt(i);
            clean.append(c >= ' ' && c <= '~' ? c : '?');
        }
        return clean.toString();
    }
}
