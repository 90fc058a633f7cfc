package dev.postrider.console.message;

import dev.postrider.OutboxMessage;
import dev.postrider.admin.ArchivedMessage;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A message that has left the outbox. */
record ArchivedView(
        UUID id,
        long seq,
        ArchivedMessage.Ended ended,
        @Nullable UUID replacedBy,
        String namespace,
        String topic,
        String type,
        @Nullable String key,
        int attempts,
        @Nullable String lastError,
        Instant created,
        @Nullable Instant delivered,
        @Nullable Instant died,
        Instant archived,
        String contentType,
        PayloadView payload,
        Map<String, String> headers) {

    static ArchivedView of(ArchivedMessage archived) {
        OutboxMessage message = archived.message();
        ArchivedMessage.Times times = archived.times();
        return new ArchivedView(
                message.id(),
                archived.seq(),
                archived.ended(),
                archived.replacedBy(),
                message.namespace(),
                message.topic(),
                message.type(),
                message.key().orElse(null),
                archived.attempts(),
                archived.lastError(),
                times.created(),
                times.delivered(),
                times.died(),
                times.archived(),
                message.contentType(),
                PayloadView.of(message.payload()),
                message.headers());
    }
}
