package dev.postrider.cli.output;

import java.util.Map;

/**
 * Colours words that a reader should see first. Without colour the words stay as they are.
 *
 * @param on whether the reader's terminal shows colours
 */
public record Paint(boolean on) {

    private static final String RED = "31";
    private static final String GREEN = "32";
    private static final String YELLOW = "33";
    private static final Map<String, String> COLOURS = Map.ofEntries(
            Map.entry("ok", GREEN),
            Map.entry("open", GREEN),
            Map.entry("note", GREEN),
            Map.entry("warn", YELLOW),
            Map.entry("paused", YELLOW),
            Map.entry("PAUSED", YELLOW),
            Map.entry("DRAINING", YELLOW),
            Map.entry("RETRY", YELLOW),
            Map.entry("COMPENSATING", YELLOW),
            Map.entry("bad", RED),
            Map.entry("closed", RED),
            Map.entry("DEAD", RED),
            Map.entry("FAILED", RED),
            Map.entry("STALLED", RED));

    /** Returns the text in the colour of {@code word}; text without a colour stays as it is. */
    public String word(String word, String text) {
        String colour = COLOURS.get(word);
        return on && colour != null ? code(colour, text) : text;
    }

    /** Returns the text in bold type. */
    public String bold(String text) {
        return on ? code("1", text) : text;
    }

    private static String code(String number, String text) {
        return "\u001b[" + number + "m" + text + "\u001b[0m";
    }
}
