package dev.postrider.admin;

import dev.postrider.OutboxMessage;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message that has left the outbox, as it was then.
 *
 * @param seq the place it had in the enqueue order
 * @param ended how it left
 * @param replacedBy the message that took its place; null unless it was edited
 * @param attempts how often it was tried
 * @param lastError why the last attempt did not succeed; null after a delivery
 * @param times when things happened to it
 * @param defect why the row must not be published, as far as the reader can tell; null if it is sound
 * @param message what was enqueued; with a defect, what can be read of the row
 */
public record ArchivedMessage(
        long seq,
        Ended ended,
        @Nullable UUID replacedBy,
        int attempts,
        @Nullable String lastError,
        Times times,
        @Nullable String defect,
        OutboxMessage message) {

    /** How a message left the outbox. */
    public enum Ended {
        /** Delivered, and purged later. */
        DELIVERED,
        /** Given up by a person. */
        DISCARDED,
        /** Replaced by a person with another message in the same place. */
        EDITED
    }

    /**
     * When things happened, by the database's clock.
     *
     * @param created enqueued
     * @param delivered acked by the broker; null if not
     * @param died given up; null if not
     * @param archived left the outbox
     */
    public record Times(
            Instant created,
            @Nullable Instant delivered,
            @Nullable Instant died,
            Instant archived) {}
}
