package dev.postrider.console.message;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.admin.StoredMessage;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A message in a list: everything but payload and headers. */
record MessageView(
        UUID id,
        long seq,
        MessageStatus status,
        String namespace,
        String topic,
        String type,
        @Nullable String key,
        @Nullable String tenant,
        @Nullable String dedupeKey,
        int version,
        int attempts,
        @Nullable Integer maxAttempts,
        @Nullable String claimedBy,
        @Nullable String lastError,
        @Nullable String failure,
        @Nullable String defect,
        Instant created,
        Instant updated,
        @Nullable Instant due,
        @Nullable Instant claimedUntil,
        @Nullable Instant delivered,
        @Nullable Instant died,
        int payloadBytes,
        String contentType) {

    static MessageView of(StoredMessage stored) {
        OutboxMessage message = stored.message();
        StoredMessage.Times times = stored.times();
        return new MessageView(
                message.id(),
                stored.seq(),
                stored.status(),
                message.namespace(),
                message.topic(),
                message.type(),
                message.key().orElse(null),
                message.tenant().orElse(null),
                message.dedupeKey().orElse(null),
                message.version(),
                stored.attempts(),
                message.maxAttempts().isPresent()
                        ? (Integer) message.maxAttempts().getAsInt()
                        : null,
                stored.claimedBy(),
                stored.lastError(),
                stored.failure(),
                stored.defect(),
                times.created(),
                times.updated(),
                times.due(),
                times.claimedUntil(),
                times.delivered(),
                times.died(),
                message.payloadSize(),
                message.contentType());
    }
}
