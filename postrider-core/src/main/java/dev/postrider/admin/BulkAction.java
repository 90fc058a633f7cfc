package dev.postrider.admin;

import dev.postrider.MessageStatus;

/** What can be done to many messages at once. */
public enum BulkAction {
    /** Gives dead messages a new life. */
    REQUEUE(MessageStatus.DEAD),
    /** Moves dead messages into the archive. */
    DISCARD(MessageStatus.DEAD),
    /** Delivers delivered messages once more. */
    REPLAY(MessageStatus.DELIVERED);

    private final MessageStatus from;

    BulkAction(MessageStatus from) {
        this.from = from;
    }

    /** Returns the state a message must be in. */
    public MessageStatus from() {
        return from;
    }
}
