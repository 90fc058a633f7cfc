package dev.postrider.hibernate;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.PayloadCodec;
import java.util.Objects;

/**
 * Turns a domain event into the message that is enqueued for it. Called once for each event, after the flush: generated
 * identifiers are known. Implementations are thread-safe and do not use the session.
 */
@FunctionalInterface
public interface EventMapper {

    /**
     * Returns the message for the event. An exception makes the transaction roll back. An event that carries its own id
     * should give it to the message with {@link OutboxMessage.Builder#id(java.util.UUID)}.
     */
    OutboxMessage message(RecordedEvent recorded);

    /** Returns a mapper to one topic, as {@link RecordedEvent#message} makes messages. */
    static EventMapper to(String topic, PayloadCodec codec) {
        Objects.requireNonNull(topic, "topic");
        Objects.requireNonNull(codec, "codec");
        return recorded -> recorded.message(topic, codec).build();
    }
}
