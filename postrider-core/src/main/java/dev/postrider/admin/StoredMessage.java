package dev.postrider.admin;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A message with its place in the outbox.
 *
 * @param seq the row's place in the enqueue order
 * @param status where it stands
 * @param attempts how often it was tried
 * @param claimedBy who has claimed it; if nobody has, who did last, or null where that is not kept
 * @param lastError why the last attempt did not succeed; null after a delivery
 * @param failure what the last error has in common with others of its kind; null after a delivery
 * @param times when things happened to it
 * @param defect why the row must not be published, as far as the reader can tell; null if it is sound
 * @param message what was enqueued; with a defect, what can be read of the row
 */
public record StoredMessage(
        long seq,
        MessageStatus status,
        int attempts,
        @Nullable String claimedBy,
        @Nullable String lastError,
        @Nullable String failure,
        Times times,
        @Nullable String defect,
        OutboxMessage message) {

    /**
     * When things happened, by the database's clock.
     *
     * @param created enqueued
     * @param updated last transition
     * @param due when it may be tried again; null if at once or never
     * @param claimedUntil when the claim on it ends; if there is none, when the last one would have, or null where that
     *     is not kept
     * @param delivered acked by the broker; null if not
     * @param died given up; null if not
     */
    public record Times(
            Instant created,
            Instant updated,
            @Nullable Instant due,
            @Nullable Instant claimedUntil,
            @Nullable Instant delivered,
            @Nullable Instant died) {}

    /** Returns why the last attempt did not succeed. */
    public Optional<String> error() {
        return Optional.ofNullable(lastError);
    }
}
