package dev.postrider.jdbc.row;

import dev.postrider.MessageStatus;

/** The numbers that stand for states in the table, which are part of its contract. Keeps no state. */
public final class StatusCode {

    private StatusCode() {}

    /** Returns the number of a state. */
    public static short of(MessageStatus status) {
        return switch (status) {
            case PENDING -> 0;
            case CLAIMED -> 1;
            case DELIVERED -> 2;
            case DEAD -> 3;
        };
    }

    /** Returns the state with a number. */
    public static MessageStatus status(int code) {
        return switch (code) {
            case 0 -> MessageStatus.PENDING;
            case 1 -> MessageStatus.CLAIMED;
            case 2 -> MessageStatus.DELIVERED;
            case 3 -> MessageStatus.DEAD;
            default -> throw new IllegalStateException("No state has the number " + code);
        };
    }
}
