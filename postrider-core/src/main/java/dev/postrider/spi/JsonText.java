package dev.postrider.spi;

/** Writes JSON strings and reads them from a text, from left to right. Not thread-safe. */
public final class JsonText {

    private static final int HEX = 16;
    private static final int UNICODE_DIGITS = 4;

    private final String text;
    private int position;

    /** Begins to read at the start of the text. */
    public JsonText(String text) {
        this.text = text;
    }

    /** Appends the value as a JSON string. */
    public static void quote(StringBuilder json, String value) {
        json.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (Character.isISOControl(c) || Character.isSurrogate(c)) {
                // A surrogate is escaped because a lone one has no other form.
                json.append("\\u%04x".formatted((int) c));
            } else {
                json.append(c);
            }
        }
        json.append('"');
    }

    /** Reads this character, after any space. */
    public void expect(char wanted) {
        if (!accept(wanted)) {
            throw unexpected("'" + wanted + "'");
        }
    }

    /** Reads this character, after any space, if it comes next. */
    public boolean accept(char wanted) {
        skipSpace();
        if (position < text.length() && text.charAt(position) == wanted) {
            position++;
            return true;
        }
        return false;
    }

    /** Refuses anything more but space. */
    public void expectEnd() {
        skipSpace();
        if (position < text.length()) {
            throw unexpected("the end");
        }
    }

    /** Reads a string, after any space. */
    public String string() {
        expect('"');
        StringBuilder value = new StringBuilder();
        while (true) {
            char c = next();
            if (c == '"') {
                return value.toString();
            }
            if (c < ' ') {
                throw unexpected("no control character");
            }
            value.append(c == '\\' ? escaped() : c);
        }
    }

    private char escaped() {
        char c = next();
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unicode();
            default -> throw unexpected("an escape");
        };
    }

    private char unicode() {
        int code = 0;
        for (int i = 0; i < UNICODE_DIGITS; i++) {
            int digit = Character.digit(next(), HEX);
            if (digit < 0) {
                throw unexpected("four hexadecimal digits");
            }
            code = code * HEX + digit;
        }
        return (char) code;
    }

    private char next() {
        if (position == text.length()) {
            throw unexpected("more");
        }
        return text.charAt(position++);
    }

    private void skipSpace() {
        while (position < text.length() && " \t\r\n".indexOf(text.charAt(position)) >= 0) {
            position++;
        }
    }

    // Headers may be confidential: the place is named, the text is not.
    private IllegalArgumentException unexpected(String wanted) {
        return new IllegalArgumentException(
                "Expected %s at %d of %d characters".formatted(wanted, position, text.length()));
    }
}
