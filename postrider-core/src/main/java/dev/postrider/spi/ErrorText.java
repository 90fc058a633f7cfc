package dev.postrider.spi;

/** Makes texts that others wrote fit for a row, a log line and a terminal. */
public final class ErrorText {

    private static final int MAX_LENGTH = 500;

    private ErrorText() {}

    /** Names the type of the error and says what it says about itself. */
    public static String of(Throwable error) {
        String type = type(error);
        try {
            String message = error.getMessage();
            return message == null ? type : clean(type + ": " + message);
        } catch (RuntimeException e) {
            // An error that cannot even say what it is must not go unanswered.
            return type;
        }
    }

    /** Names only the type of the error. */
    public static String type(Throwable error) {
        return clean(error.getClass().getName());
    }

    /** Cuts at 500 characters and replaces what could forge a line or hide text. */
    public static String clean(String text) {
        return clean(text, MAX_LENGTH);
    }

    /** Cuts at {@code maxLength} characters and replaces what could forge a line or hide text. */
    public static String clean(String text, int maxLength) {
        StringBuilder clean = new StringBuilder(Math.min(text.length(), maxLength));
        for (int i = 0; i < text.length(); ) {
            int character = text.codePointAt(i);
            i += Character.charCount(character);
            int shown = isHarmless(character) ? character : ' ';
            if (clean.length() + Character.charCount(shown) > maxLength) {
                break;
            }
            clean.appendCodePoint(shown);
        }
        return clean.toString();
    }

    private static boolean isHarmless(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE -> false;
            default -> true;
        };
    }
}
