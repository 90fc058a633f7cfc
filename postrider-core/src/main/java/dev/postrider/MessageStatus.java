package dev.postrider;

/** Where a message stands. */
public enum MessageStatus {
    /** Waits for its first or next delivery attempt. */
    PENDING,
    /** A relay holds the right to deliver it for a limited time. */
    CLAIMED,
    /** The broker has acked it. */
    DELIVERED,
    /** Given up; waits for a person. */
    DEAD
}
