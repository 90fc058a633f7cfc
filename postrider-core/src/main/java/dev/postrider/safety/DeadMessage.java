package dev.postrider.safety;

import dev.postrider.OutboxMessage;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A message that has been given up, with everything its dead record in the database holds.
 *
 * @param message what was to be delivered; with a defect, what could be read of the row
 * @param seq the row's place in the enqueue order
 * @param attempts how often its delivery was tried
 * @param reason why it is dead, free of payload
 * @param holdsKey whether later messages of the key wait for it
 * @param defect why the row must not be published, free of payload; null if it is sound
 * @param at when it was given up, by the clock of the relay
 * @param relay who gave it up
 */
public record DeadMessage(
        OutboxMessage message,
        long seq,
        int attempts,
        String reason,
        boolean holdsKey,
        @Nullable String defect,
        Instant at,
        String relay) {

    /** Refuses what is incomplete. */
    public DeadMessage {
        Objects.requireNonNull(message, "message");
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(at, "at");
        Objects.requireNonNull(relay, "relay");
    }
}
