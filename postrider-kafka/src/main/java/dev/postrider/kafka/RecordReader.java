package dev.postrider.kafka;

import dev.postrider.inbox.ReceivedMessage;
import dev.postrider.inbox.consumer.ReceivedHeaders;
import dev.postrider.publish.MessageHeaders;
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

/** Turns records into messages, always the same record into the same message. */
record RecordReader(Function<ConsumerRecord<byte[], byte[]>, @Nullable String> idFrom) {

    private static final String CLOUD_EVENTS_ID = "ce_id";
    private static final String CLOUD_EVENTS_TYPE = "ce_type";

    ReceivedMessage read(ConsumerRecord<byte[], byte[]> received) {
        ReceivedHeaders headers = ReceivedHeaders.of(headers(received));
        byte[] payload = received.value();
        return ReceivedMessage.from(headers.topic(received.topic()))
                // Postrider's own come first: a message may forward those of the event that caused it.
                .id(headers.first(MessageHeaders.ID, CLOUD_EVENTS_ID)
                        .orElseGet(() -> ReceivedHeaders.extracted(idFrom, received, source(received))))
                .key(key(received.key()))
                .sequence(headers.sequence())
                .type(headers.first(MessageHeaders.TYPE, CLOUD_EVENTS_TYPE).orElse(null))
                .source(source(received))
                .headers(headers.all())
                .payload(payload == null ? new byte[0] : payload)
                .build();
    }

    static String source(ConsumerRecord<byte[], byte[]> received) {
        return received.topic() + "-" + received.partition() + "@" + received.offset();
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
