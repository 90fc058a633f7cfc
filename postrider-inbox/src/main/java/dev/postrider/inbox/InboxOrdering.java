package dev.postrider.inbox;

/** What happens to the messages of a key while an earlier one of them is parked. */
public enum InboxOrdering {
    /** They are handled. */
    NONE,
    /** They are parked behind it; other keys go on. */
    PER_KEY
}
