package dev.postrider.inbox;

import java.time.Duration;

/** What the builder of an inbox was told. */
record InboxSettings(
        boolean fastPath,
        Duration lockWait,
        int repeats,
        Duration retention,
        Horizon horizon,
        int parkAfter,
        InboxOrdering ordering,
        Dedupe dedupe) {

    boolean bySequence(Incoming incoming) {
        return dedupe == Dedupe.SEQUENCE && incoming.key() != null && incoming.sequence() != null;
    }

    /** Whether earlier messages of its key can hold it. */
    boolean keepsOrder(Incoming incoming) {
        return ordering == InboxOrdering.PER_KEY && incoming.key() != null;
    }
}
