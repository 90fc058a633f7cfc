package dev.postrider.http;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;

/** How text is written so that it cannot be taken for anything but the value of one header, or one part of a URL. */
final class HeaderText {

    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    private static final String UNRESERVED = "-._~";

    private HeaderText() {}

    /** Whether HTTP allows a field of this name. */
    static boolean isName(String name) {
        return TOKEN.matcher(name).matches();
    }

    static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    /**
     * Writes a value as the CloudEvents HTTP binding does: printable ASCII stays, except blank, double quote and
     * percent. Whoever percent-decodes it has the value back exactly.
     */
    static String exact(String value) {
        return encoded(value, c -> c > ' ' && c <= '~' && c != '"' && c != '%');
    }

    /**
     * Leaves printable ASCII alone, so that values with a syntax of their own arrive as they are. Only what HTTP cannot
     * carry is percent-encoded.
     */
    static String plain(String value) {
        String encoded = encoded(value, c -> c >= ' ' && c <= '~');
        int begin = 0;
        int end = encoded.length();
        while (begin < end && encoded.charAt(begin) == ' ') {
            begin++;
        }
        while (end > begin && encoded.charAt(end - 1) == ' ') {
            end--;
        }
        // The other side would cut blanks at both ends off.
        return "%20".repeat(begin) + encoded.substring(begin, end) + "%20".repeat(encoded.length() - end);
    }

    /** Writes a value so that it is one piece of a path or a query, whatever it contains. */
    static String percentEncoded(String value) {
        return encoded(
                value,
                c -> (c >= 'a' && c <= 'z')
                        || (c >= 'A' && c <= 'Z')
                        || (c >= '0' && c <= '9')
                        || UNRESERVED.indexOf(c) >= 0);
    }

    private static String encoded(String value, IntPredicate kept) {
        StringBuilder text = new StringBuilder(value.length());
        for (byte b : value.getBytes(StandardCharsets.UTF_8)) {
            int c = b & 0xff;
            if (kept.test(c)) {
                text.append((char) c);
            } else {
                text.append("%%%02X".formatted(c));
            }
        }
        return text.toString();
    }
}
