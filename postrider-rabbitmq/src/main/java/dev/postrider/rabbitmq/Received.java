package dev.postrider.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Delivery;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A delivery on one channel. Its tag means nothing on any other. */
final class Received {

    private static final String DELIVERY_COUNT = "x-delivery-count";

    private final Delivery delivery;
    private final long since;

    Received(Delivery delivery, long since) {
        this.delivery = delivery;
        this.since = since;
    }

    Delivery delivery() {
        return delivery;
    }

    long tag() {
        return delivery.getEnvelope().getDeliveryTag();
    }

    /** Returns whether it has been in hand since before {@code nanos}. */
    boolean receivedBefore(long nanos) {
        return since - nanos < 0;
    }

    BasicProperties properties() {
        return delivery.getProperties();
    }

    /** Returns the text of a header, if it is there and is a value that has one. */
    Optional<String> header(String name) {
        return Optional.ofNullable(headers().get(name)).flatMap(Received::text);
    }

    Map<String, Object> headers() {
        @Nullable Map<String, Object> headers = properties().getHeaders();
        return headers == null ? Map.of() : headers;
    }

    // Tables, lists and bytes are no text, for example the history of a message that was dead-lettered.
    static Optional<String> text(@Nullable Object value) {
        boolean plain =
                value != null && !(value instanceof Map || value instanceof Iterable || value instanceof byte[]);
        return plain ? Optional.of(Objects.toString(value)) : Optional.empty();
    }

    /** Returns how often a quorum queue has delivered it before; a classic queue does not count. */
    long deliveriesBefore() {
        Object count = headers().get(DELIVERY_COUNT);
        return count instanceof Number number ? number.longValue() : 0;
    }
}
