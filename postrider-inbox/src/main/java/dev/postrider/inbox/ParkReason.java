package dev.postrider.inbox;

/** Why a message is parked. */
public enum ParkReason {
    /** It failed as often as is allowed. */
    FAILED,
    /** An earlier message of its key is parked; it goes on by itself when that one is handled or discarded. */
    BEHIND,
    /** It has no id. */
    NO_ID,
    /** Its id is longer than 100 characters or not printable ASCII. */
    INVALID_ID,
    /** It is so old that the mark of an earlier handling would be removed already. */
    BEYOND_HORIZON
}
