package dev.postrider.safety;

import dev.postrider.OutboxMessage;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A message that was given up, with all values of its dead record in the database.
 *
 * @param message the message; with a defect, its readable parts
 * @param seq the row's place in the enqueue order
 * @param attempts how often its delivery was tried
 * @param reason why it is dead, free of payload
 * @param holdsKey whether later messages of the key wait for it
 * @param defect why the row must not be published, free of payload; null if it is sound
 * @param at when it was given up, by the clock of the relay
 * @param relay the relay that gave it up
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

    /** Refuses an incomplete record. */
    public DeadMessage {
        Objects.requireNonNull(message, "message");
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(at, "at");
        Objects.requireNonNull(relay, "relay");
    }
}
