package dev.postrider.jdbc.row;

import dev.postrider.spi.RelayMode;

/** The numbers that stand for what operators want, which are part of the table's contract. Keeps no state. */
public final class ControlCode {

    /** The row is about all relays. */
    public static final int ALL_RELAYS = 0;

    /** The row is about one relay. */
    public static final int RELAY = 1;

    /** The row is about a topic. */
    public static final int TOPIC = 2;

    private ControlCode() {}

    /** Returns the number of a mode. */
    public static int of(RelayMode mode) {
        return switch (mode) {
            case RUN -> 0;
            case PAUSE -> 1;
            case DRAIN -> 2;
        };
    }

    /** Returns the mode with a number. */
    public static RelayMode mode(int code) {
        return switch (code) {
            case 0 -> RelayMode.RUN;
            case 1 -> RelayMode.PAUSE;
            case 2 -> RelayMode.DRAIN;
            default -> throw new IllegalStateException("No mode has the number " + code);
        };
    }
}
