package dev.postrider.hibernate;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.PayloadCodec;
import java.util.Objects;

/**
 * A domain event and the entity that recorded it. Immutable.
 *
 * @param event what the entity recorded
 * @param aggregate the entity, after its changes were written to the database
 * @param aggregateType the entity's name in JPA, such as {@code Order}
 * @param aggregateId the entity's identifier
 */
public record RecordedEvent(Object event, Object aggregate, String aggregateType, Object aggregateId) {

    /** The header of a message that names the entity's type. */
    public static final String AGGREGATE_TYPE = "aggregate-type";

    public RecordedEvent {
        Objects.requireNonNull(event, "event");
        Objects.requireNonNull(aggregate, "aggregate");
        Objects.requireNonNull(aggregateType, "aggregateType");
        Objects.requireNonNull(aggregateId, "aggregateId");
    }

    /**
     * Starts the message that says the event: with its type, version and payload by the codec, the entity's identifier
     * as its key, and the entity's type in the header {@value #AGGREGATE_TYPE}.
     *
     * @throws IllegalArgumentException if the codec does not know the class of the event
     */
    public OutboxMessage.Builder message(String topic, PayloadCodec codec) {
        return codec.message(topic, event).key(aggregateId.toString()).header(AGGREGATE_TYPE, aggregateType);
    }

    /** Names the entity without the event, which may be confidential. */
    @Override
    public String toString() {
        return "RecordedEvent[%s of %s %s]".formatted(event.getClass().getName(), aggregateType, aggregateId);
    }
}
