package dev.postrider;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Gives headers to every message when it is enqueued, such as the trace context of the calling thread. Called on the
 * thread of the transaction: implementations are thread-safe and quick, and an exception fails the enqueue.
 */
@FunctionalInterface
public interface HeaderSource {

    /** Gives no headers. */
    HeaderSource NONE = message -> Map.of();

    /** Returns the headers to add; those that the message has already stay as they are. */
    Map<String, String> headers(OutboxMessage message);

    /**
     * Returns the same message with those headers of this source that it does not have.
     *
     * @throws IllegalArgumentException if the name or value of a header cannot be stored
     */
    default OutboxMessage complete(OutboxMessage message) {
        Map<String, String> more = headers(message);
        if (message.headers().keySet().containsAll(more.keySet())) {
            return message;
        }
        Map<String, String> all = new LinkedHashMap<>(more);
        all.putAll(message.headers());
        MessageFields.headers(all);
        // Its other parts were checked when it was built, and its id must stay even where a dedupe key decides it.
        return OutboxMessage.to(message.topic(), message.type())
                .id(message.id())
                .namespace(message.namespace())
                .key(message.key().orElse(null))
                .version(message.version())
                .tenant(message.tenant().orElse(null))
                .dedupeKey(message.dedupeKey().orElse(null))
                .headers(all)
                .contentType(message.contentType())
                .payload(message.payload())
                .deliverAfter(message.deliverAfter())
                .maxAttempts(
                        message.maxAttempts().isPresent()
                                ? message.maxAttempts().getAsInt()
                                : null)
                .restore();
    }
}
