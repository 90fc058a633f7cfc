package dev.postrider.inbox;

import dev.postrider.OutboxMessage;
import dev.postrider.database.HeaderCodec;
import dev.postrider.publish.MessageHeaders;
import dev.postrider.spi.ErrorText;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message on its way to the handler of a consumer. Its texts are given as the tables can store them.
 *
 * @param id what the tables call it
 * @param message as it came; null if only the id is known
 * @param plain whether the database refused text of the message, so that everything but ASCII is replaced
 */
record Incoming(String consumer, String id, @Nullable ReceivedMessage message, boolean plain) {

    private static final int MAX_SOURCE = 200;
    private static final int MAX_TYPE = 250;

    static Incoming of(String id, String consumer) {
        MessageNames.require("messageId", id);
        MessageNames.require("consumer", consumer);
        return new Incoming(consumer, id, null, false);
    }

    static Incoming of(ReceivedMessage message, String consumer) {
        MessageNames.require("consumer", consumer);
        String id = message.id().filter(MessageNames::fits).orElseGet(() -> MessageNames.standIn(message));
        return new Incoming(consumer, id, message, false);
    }

    /** Returns the message with text that every database can store. */
    Incoming inPlainText() {
        return new Incoming(consumer, id, message, true);
    }

    /** Tells why its own id cannot be used; null if it can. */
    @Nullable ParkReason unusableId() {
        if (message == null || message.id().filter(MessageNames::fits).isPresent()) {
            return null;
        }
        return message.id().isEmpty() ? ParkReason.NO_ID : ParkReason.INVALID_ID;
    }

    @Nullable String topic() {
        return message == null ? null : MessageNames.stored(message.topic(), MessageNames.MAX_TOPIC, plain);
    }

    @Nullable String key() {
        return message == null
                ? null
                : message.key()
                        .map(key -> MessageNames.stored(key, MessageNames.MAX_KEY, plain))
                        .orElse(null);
    }

    /** Returns the namespace of its topic, within which sequences and the order of a key are promised. */
    String namespace() {
        String namespace = message == null ? null : message.headers().get(MessageHeaders.NAMESPACE);
        return namespace == null || namespace.isEmpty()
                ? OutboxMessage.DEFAULT_NAMESPACE
                : MessageNames.stored(namespace, MessageNames.MAX_NAMESPACE, plain);
    }

    @Nullable Long sequence() {
        return message == null || message.sequence().isEmpty()
                ? null
                : (Long) message.sequence().getAsLong();
    }

    @Nullable String source() {
        return message == null
                ? null
                : message.source().map(source -> text(source, MAX_SOURCE)).orElse(null);
    }

    @Nullable String type() {
        return message == null
                ? null
                : message.type().map(type -> text(type, MAX_TYPE)).orElse(null);
    }

    /** Returns the headers as JSON, with topic and key where their columns cannot hold them. */
    @Nullable String headers() {
        if (message == null) {
            return null;
        }
        Map<String, String> headers = new LinkedHashMap<>(message.headers());
        if (!message.topic().equals(topic())) {
            headers.put(MessageHeaders.TOPIC, message.topic());
        }
        message.key().filter(key -> !key.equals(key())).ifPresent(key -> headers.put(MessageHeaders.KEY, key));
        String json = HeaderCodec.encode(headers);
        return json == null || !plain ? json : escaped(json);
    }

    // What is not ASCII stands in strings only, where JSON knows another form of it.
    private static String escaped(String json) {
        StringBuilder escaped = new StringBuilder(json.length());
        json.chars().forEach(c -> {
            if (MessageNames.printable(c)) {
                escaped.append((char) c);
            } else {
                escaped.append("\\u%04x".formatted(c));
            }
        });
        return escaped.toString();
    }

    /** Returns a text for people as the tables can store it. */
    String text(String text, int maxLength) {
        String clean = ErrorText.clean(text, maxLength);
        return plain ? clean.replaceAll("[^ -~]", "?") : clean;
    }

    @Override
    public String toString() {
        return "message %s for consumer %s".formatted(id, consumer);
    }
}
