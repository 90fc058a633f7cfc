package dev.postrider.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Delivery;
import dev.postrider.inbox.ReceivedMessage;
import dev.postrider.publish.MessageHeaders;
import dev.postrider.spi.ErrorText;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns deliveries from one queue into messages. */
record DeliveryReader(String queue, Function<Delivery, @Nullable String> idFrom) {

    private static final Logger log = LoggerFactory.getLogger(DeliveryReader.class);

    private static final String CLOUD_EVENTS = "cloudEvents:";
    private static final String CLOUD_EVENTS_KAFKA = "ce_";
    private static final int MAX_TOPIC = 255;

    ReceivedMessage read(Received received) {
        Map<String, String> headers = headers(received);
        String id = id(received);
        return ReceivedMessage.from(topic(received))
                .id(id)
                .key(key(received).orElse(null))
                .sequence(sequence(received))
                .type(first(List.of(
                                Optional.ofNullable(received.properties().getType()),
                                received.header(CLOUD_EVENTS + "type"),
                                received.header(CLOUD_EVENTS_KAFKA + "type")))
                        .orElse(null))
                .source(source(id))
                .headers(headers)
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

    private @Nullable String id(Received received) {
        Optional<String> id = first(List.of(
                Optional.ofNullable(received.properties().getMessageId()),
                received.header(CLOUD_EVENTS + "id"),
                received.header(CLOUD_EVENTS_KAFKA + "id"),
                received.header(MessageHeaders.ID)));
        if (id.isPresent()) {
            return id.get();
        }
        try {
            return idFrom.apply(received.delivery());
        } catch (RuntimeException | Error e) {
            log.warn("Could not extract the id of a message from {}, so it has none: {}", queue, ErrorText.type(e));
            return null;
        }
    }

    private static Optional<String> first(List<Optional<String>> candidates) {
        return candidates.stream()
                .flatMap(Optional::stream)
                .filter(text -> !text.isEmpty())
                .findFirst();
    }

    // Sequences are in order within the topic of the outbox, which is often the exchange. A queue has no order of its
    // own to offer: the default exchange says nothing.
    private String topic(Received received) {
        return first(List.of(
                        received.header(MessageHeaders.TOPIC).filter(topic -> topic.length() <= MAX_TOPIC),
                        Optional.of(received.delivery().getEnvelope().getExchange())))
                .orElse(queue);
    }

    private static @Nullable Long sequence(Received received) {
        try {
            return received.header(MessageHeaders.SEQ).map(Long::valueOf).orElse(null);
        } catch (NumberFormatException e) {
            // Somebody else's header of the same name.
            return null;
        }
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
