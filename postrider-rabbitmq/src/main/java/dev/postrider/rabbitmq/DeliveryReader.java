package dev.postrider.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Delivery;
import dev.postrider.inbox.ReceivedMessage;
import dev.postrider.inbox.consumer.ReceivedHeaders;
import dev.postrider.publish.MessageHeaders;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Turns deliveries from one queue into messages. */
record DeliveryReader(String queue, Function<Delivery, @Nullable String> idFrom) {

    private static final String CLOUD_EVENTS = "cloudEvents:";
    private static final String CLOUD_EVENTS_KAFKA = "ce_";

    ReceivedMessage read(Received received) {
        ReceivedHeaders headers = ReceivedHeaders.of(headers(received));
        String id = id(received, headers);
        return ReceivedMessage.from(
                        headers.topic(received.delivery().getEnvelope().getExchange(), queue))
                .id(id)
                .key(key(received).orElse(null))
                .sequence(headers.sequence())
                .type(given(received.properties().getType())
                        .or(() -> headers.first(CLOUD_EVENTS + "type", CLOUD_EVENTS_KAFKA + "type"))
                        .orElse(null))
                .source(source(id))
                .headers(headers.all())
                .payload(received.delivery().getBody())
                .build();
    }

    // The inbox tells messages without an id apart by their sources.
    private String source(@Nullable String id) {
        return id == null ? queue + "#" + UUID.randomUUID() : queue;
    }

    /** Returns the order group. */
    static Optional<String> key(Received received) {
        return received.header(MessageHeaders.KEY);
    }

    // Postrider's own come first: a message may forward those of the event that caused it.
    private @Nullable String id(Received received, ReceivedHeaders headers) {
        return given(received.properties().getMessageId())
                .or(() -> headers.first(MessageHeaders.ID, CLOUD_EVENTS + "id", CLOUD_EVENTS_KAFKA + "id"))
                .orElseGet(() -> ReceivedHeaders.extracted(idFrom, received.delivery(), queue));
    }

    private static Optional<String> given(@Nullable String property) {
        return Optional.ofNullable(property).filter(text -> !text.isEmpty());
    }

    private static Map<String, String> headers(Received received) {
        Map<String, String> headers = new HashMap<>();
        BasicProperties properties = received.properties();
        put(headers, MessageHeaders.CONTENT_TYPE, properties.getContentType());
        put(headers, "correlation-id", properties.getCorrelationId());
        put(headers, "reply-to", properties.getReplyTo());
        received.headers().forEach((name, value) -> put(headers, name, value));
        return headers;
    }

    private static void put(Map<String, String> headers, String name, @Nullable Object value) {
        Received.text(value).ifPresent(text -> headers.put(name, text));
    }
}
