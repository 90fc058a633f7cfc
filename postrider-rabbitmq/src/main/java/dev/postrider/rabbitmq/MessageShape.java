package dev.postrider.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.postrider.OutboxMessage;
import dev.postrider.publish.CloudEventAttributes;
import dev.postrider.publish.MessageHeaders;
import dev.postrider.publish.NameTemplate;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.PublishAnswers;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How a message looks in AMQP. Everything is made from the message alone, so that a repeated one is byte for byte the
 * first one.
 *
 * @param exchange how the exchange is called; null for the default exchange
 * @param routingKey what the routing key is
 * @param cloudEventSource the source of the CloudEvents attributes; null to add none
 * @param maxMessageSize the largest payload in bytes
 * @param unroutable how a message is answered that no queue takes
 */
record MessageShape(
        @Nullable NameTemplate exchange,
        NameTemplate routingKey,
        @Nullable URI cloudEventSource,
        int maxMessageSize,
        RabbitPublisher.Unroutable unroutable) {

    private static final String CORRELATION_ID = "correlation-id";
    private static final String CLOUD_EVENTS = "cloudEvents:";
    private static final int PERSISTENT = 2;
    private static final int TIME_ORDERED = 7;
    private static final int SHORT_STRING = 255;
    private static final int MOST_BYTES_OF_A_CHAR = 3;

    /** Returns the exchange if it is the same for every message. */
    Optional<String> constantExchange() {
        return exchange == null ? Optional.of(ExchangeChannel.DEFAULT_EXCHANGE) : exchange.constant();
    }

    /**
     * Returns the message ready to be sent.
     *
     * @throws IllegalArgumentException if AMQP has no room for it, with a text that says why
     */
    Outgoing outgoing(ClaimedMessage claimed, PublishAnswers answers, long nanos) {
        OutboxMessage message = claimed.message();
        if (message.payloadSize() > maxMessageSize) {
            throw new IllegalArgumentException("The payload has %d bytes, more than the %d of maxMessageSize"
                    .formatted(message.payloadSize(), maxMessageSize));
        }
        Outgoing.Address address = new Outgoing.Address(
                shortString("exchange", exchange == null ? ExchangeChannel.DEFAULT_EXCHANGE : exchange.render(message)),
                shortString("routing key", routingKey.render(message)),
                unroutable);
        return new Outgoing(claimed, answers, address, properties(claimed, address.exchange()), nanos);
    }

    private BasicProperties properties(ClaimedMessage claimed, String destination) {
        OutboxMessage message = claimed.message();
        String correlationId = message.headers().get(CORRELATION_ID);
        return new BasicProperties.Builder()
                .messageId(message.id().toString())
                .type(shortString("type", message.type()))
                .contentType(shortString("content type", message.contentType()))
                .deliveryMode(PERSISTENT)
                .timestamp(timestamp(message.id()))
                // One that is too long for the property still is among the headers.
                .correlationId(correlationId != null && isShort(correlationId) ? correlationId : null)
                .headers(headers(claimed, destination))
                .build();
    }

    private Map<String, Object> headers(ClaimedMessage claimed, String destination) {
        OutboxMessage message = claimed.message();
        message.headers().keySet().forEach(name -> shortString("name of a header", name));
        Map<String, Object> headers = new HashMap<>(message.headers());
        headers.putAll(MessageHeaders.of(claimed, destination));
        message.key().ifPresent(key -> headers.put(MessageHeaders.KEY, key));
        if (cloudEventSource != null) {
            CloudEventAttributes.of(message, cloudEventSource)
                    .forEach((name, value) -> headers.put(CLOUD_EVENTS + name, value));
        }
        return headers;
    }

    // The time of the enqueue, not of the attempt.
    private static @Nullable Date timestamp(UUID id) {
        return id.version() == TIME_ORDERED
                ? Date.from(Instant.ofEpochMilli(id.getMostSignificantBits() >>> 16))
                : null;
    }

    private static String shortString(String what, String value) {
        if (!isShort(value)) {
            throw new IllegalArgumentException("The %s has %d bytes, AMQP takes at most %d: %s"
                    .formatted(what, bytes(value), SHORT_STRING, BrokerText.shortened(value)));
        }
        return value;
    }

    private static boolean isShort(String value) {
        return value.length() * MOST_BYTES_OF_A_CHAR <= SHORT_STRING || bytes(value) <= SHORT_STRING;
    }

    private static int bytes(String value) {
        return value.getBytes(StandardCharsets.UTF_8).length;
    }
}
