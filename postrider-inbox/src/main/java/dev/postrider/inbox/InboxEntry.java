package dev.postrider.inbox;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a consumer did about a message.
 *
 * @param state how far it is
 * @param at when it was handled, or when the last failure or decision was
 * @param attempts how often it failed, as far as that is still known
 * @param source where it was read
 * @param error what the last failure said
 */
public record InboxEntry(
        State state,
        Instant at,
        int attempts,
        @Nullable String source,
        @Nullable String error) {

    /** How far a message is. */
    public enum State {
        /** It was handled. */
        PROCESSED,
        /** It failed, and comes again. */
        FAILING,
        /** It waits for a decision. */
        PARKED,
        /** It waits for the parked message ahead of it. */
        BEHIND,
        /** It will be tried again soon. */
        RELEASED,
        /** It was given up. */
        DISCARDED
    }
}
