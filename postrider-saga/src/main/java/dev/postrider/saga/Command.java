package dev.postrider.saga;

import dev.postrider.OutboxMessage;
import java.util.Map;
import java.util.UUID;

/**
 * A message that asks another system to do something for a saga. Collects its parts; the engine adds id and headers.
 * Not thread-safe.
 */
public final class Command {

    private final OutboxMessage.Builder message;

    private Command(String topic, String type) {
        this.message = OutboxMessage.to(topic, type);
    }

    /** Starts a command to {@code topic} of the logical type {@code type}. */
    public static Command to(String topic, String type) {
        return new Command(topic, type);
    }

    /** Sets the module that owns the topic. */
    public Command namespace(String value) {
        message.namespace(value);
        return this;
    }

    /** Sets the order group; a command and the one that undoes it should have the same. */
    public Command key(String value) {
        message.key(value);
        return this;
    }

    /** Sets whose data it is. */
    public Command tenant(String value) {
        message.tenant(value);
        return this;
    }

    /**
     * Sets the topic the reply goes to, for participants that do not know it otherwise. A {@link Participant} must
     * allow it; see {@link Participant.Builder#replyTopics}.
     */
    public Command replyTo(String topic) {
        message.header(SagaHeaders.REPLY_TO, topic);
        return this;
    }

    /** Adds a header. */
    public Command header(String name, String value) {
        message.header(name, value);
        return this;
    }

    /** Sets the payload and its media type. */
    public Command payload(byte[] value, String contentType) {
        message.payload(value).contentType(contentType);
        return this;
    }

    /** Sets the payload to this JSON text. */
    public Command json(String value) {
        message.payload(value).contentType("application/json");
        return this;
    }

    OutboxMessage message(UUID id, Map<String, String> headers) {
        return message.id(id).headers(headers).build();
    }
}
