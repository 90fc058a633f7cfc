package dev.postrider.inbox;

import dev.postrider.OutboxMessage;
import dev.postrider.publish.MessageHeaders;
import dev.postrider.spi.ErrorText;
import org.jspecify.annotations.Nullable;

/**
 * A message on its way to the handler of a consumer.
 *
 * @param id what the tables call it
 * @param message as it came; null if only the id is known
 */
record Incoming(String consumer, String id, @Nullable ReceivedMessage message) {

    private static final int MAX_SOURCE = 200;

    static Incoming of(String id, String consumer) {
        MessageNames.require("messageId", id);
        MessageNames.require("consumer", consumer);
        return new Incoming(consumer, id, null);
    }

    static Incoming of(ReceivedMessage message, String consumer) {
        MessageNames.require("consumer", consumer);
        String id = message.id().filter(MessageNames::fits).orElseGet(() -> MessageNames.standIn(message));
        return new Incoming(consumer, id, message);
    }

    /** Tells why its own id cannot be used; null if it can. */
    @Nullable ParkReason unusableId() {
        if (message == null || message.id().filter(MessageNames::fits).isPresent()) {
            return null;
        }
        return message.id().isEmpty() ? ParkReason.NO_ID : ParkReason.INVALID_ID;
    }

    @Nullable String topic() {
        return message == null ? null : message.topic();
    }

    @Nullable String key() {
        return message == null ? null : MessageNames.key(message.key().orElse(null));
    }

    /** Returns the namespace of its topic, within which sequences and the order of a key are promised. */
    String namespace() {
        String namespace = message == null ? null : message.headers().get(MessageHeaders.NAMESPACE);
        return namespace == null || namespace.isEmpty()
                ? OutboxMessage.DEFAULT_NAMESPACE
                : MessageNames.namespace(namespace);
    }

    @Nullable Long sequence() {
        return message == null || message.sequence().isEmpty()
                ? null
                : (Long) message.sequence().getAsLong();
    }

    @Nullable String source() {
        return message == null
                ? null
                : message.source()
                        .map(source -> ErrorText.clean(source, MAX_SOURCE))
                        .orElse(null);
    }

    @Override
    public String toString() {
        return "message %s for consumer %s".formatted(id, consumer);
    }
}
