package dev.postrider.kafka;

import dev.postrider.inbox.ReceivedMessage;
import dev.postrider.publish.MessageHeaders;
import dev.postrider.spi.ErrorText;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns records into messages, always the same record into the same message. */
record RecordReader(Function<ConsumerRecord<byte[], byte[]>, @Nullable String> idFrom) {

    private static final Logger log = LoggerFactory.getLogger(RecordReader.class);

    private static final String CLOUD_EVENTS_ID = "ce_id";
    private static final String CLOUD_EVENTS_TYPE = "ce_type";
    private static final int MAX_TOPIC = 255;

    ReceivedMessage read(ConsumerRecord<byte[], byte[]> received) {
        Map<String, String> headers = headers(received);
        byte[] payload = received.value();
        return ReceivedMessage.from(topic(received, headers))
                .id(id(received, headers))
                .key(key(received.key()))
                .sequence(sequence(headers.get(MessageHeaders.SEQ)))
                .type(first(headers, CLOUD_EVENTS_TYPE, MessageHeaders.TYPE))
                .source(source(received))
                .headers(headers)
                .payload(payload == null ? new byte[0] : payload)
                .build();
    }

    static String source(ConsumerRecord<byte[], byte[]> received) {
        return received.topic() + "-" + received.partition() + "@" + received.offset();
    }

    // Sequences are in order within the topic of the outbox; Kafka's own may hold several of these.
    private static String topic(ConsumerRecord<byte[], byte[]> received, Map<String, String> headers) {
        String original = headers.get(MessageHeaders.TOPIC);
        return original == null || original.isEmpty() || original.length() > MAX_TOPIC ? received.topic() : original;
    }

    private @Nullable String id(ConsumerRecord<byte[], byte[]> received, Map<String, String> headers) {
        String id = first(headers, CLOUD_EVENTS_ID, MessageHeaders.ID);
        if (id != null && !id.isEmpty()) {
            return id;
        }
        try {
            return idFrom.apply(received);
        } catch (RuntimeException | Error e) {
            log.warn("Could not extract the id of {}, so it has none: {}", source(received), ErrorText.type(e));
            return null;
        }
    }

    private static @Nullable String first(Map<String, String> headers, String name, String otherwise) {
        String value = headers.get(name);
        return value == null || value.isEmpty() ? headers.get(otherwise) : value;
    }

    // A key that is no text must not look like another one.
    private static @Nullable String key(byte @Nullable [] key) {
        if (key == null) {
            return null;
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(key))
                    .toString();
        } catch (CharacterCodingException e) {
            return "base64:" + Base64.getEncoder().encodeToString(key);
        }
    }

    private static @Nullable Long sequence(@Nullable String text) {
        try {
            return text == null ? null : Long.valueOf(text);
        } catch (NumberFormatException e) {
            // Somebody else's header of the same name.
            return null;
        }
    }

    private static Map<String, String> headers(ConsumerRecord<byte[], byte[]> received) {
        Map<String, String> headers = new HashMap<>();
        for (Header header : received.headers()) {
            byte[] value = header.value();
            if (value != null) {
                headers.put(header.key(), new String(value, StandardCharsets.UTF_8));
            }
        }
        return headers;
    }
}
