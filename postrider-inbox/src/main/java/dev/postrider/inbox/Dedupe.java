package dev.postrider.inbox;

/** How a message that came before is recognised. */
public enum Dedupe {
    /** By its id: one row for each message, kept for the retention time. */
    MESSAGE_ID,
    /**
     * By its sequence: one row for each topic and key holds the highest one handled, and nothing is ever forgotten. It
     * needs messages of a key in order, from one outbox. A message without key or sequence is recognised by its id.
     */
    SEQUENCE
}
