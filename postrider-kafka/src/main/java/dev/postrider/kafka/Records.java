package dev.postrider.kafka;

import dev.postrider.OutboxMessage;
import dev.postrider.publish.CloudEventAttributes;
import dev.postrider.publish.MessageHeaders;
import dev.postrider.publish.NameTemplate;
import dev.postrider.spi.ClaimedMessage;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** Turns messages into records, always the same message into the same bytes. */
record Records(NameTemplate topic, @Nullable URI cloudEventsSource) {

    private static final String CLOUD_EVENTS_PREFIX = "ce_";

    /**
     * Returns the record.
     *
     * @throws IllegalArgumentException if the template needs a field that the message does not have
     */
    ProducerRecord<byte[], byte[]> of(ClaimedMessage claimed) {
        OutboxMessage message = claimed.message();
        String name = topic.render(message);
        ProducerRecord<byte[], byte[]> made = new ProducerRecord<>(name, keyOf(message), message.payload());
        headers(claimed, name)
                .forEach((header, value) -> made.headers().add(header, value.getBytes(StandardCharsets.UTF_8)));
        return made;
    }

    @SuppressWarnings("NullAway") // Kafka takes null for a record without a key.
    private static byte[] keyOf(OutboxMessage message) {
        return message.key().map(key -> key.getBytes(StandardCharsets.UTF_8)).orElse(null);
    }

    // Sorted, because the order of the message's own headers differs from process to process.
    private Map<String, String> headers(ClaimedMessage claimed, String destination) {
        OutboxMessage message = claimed.message();
        Map<String, String> headers = new TreeMap<>(message.headers());
        if (cloudEventsSource != null) {
            CloudEventAttributes.of(message, cloudEventsSource)
                    .forEach((name, value) -> headers.put(CLOUD_EVENTS_PREFIX + name, value));
        }
        headers.put(MessageHeaders.ID, message.id().toString());
        headers.put(MessageHeaders.TYPE, message.type());
        headers.put(MessageHeaders.CONTENT_TYPE, message.contentType());
        headers.putAll(MessageHeaders.of(claimed, destination));
        return headers;
    }
}
