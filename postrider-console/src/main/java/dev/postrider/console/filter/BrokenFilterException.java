package dev.postrider.console.filter;

/** A filter cannot be read; the message names the position and, if there is one, the nearest word. */
public final class BrokenFilterException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    private final int position;
    private final int length;

    BrokenFilterException(String message, int position, int length) {
        super(message);
        this.position = position;
        this.length = length;
    }

    /** Returns where the broken part begins; the first character has position 1. */
    public int position() {
        return position;
    }

    /** Returns how many characters the broken part has. */
    public int length() {
        return length;
    }
}
