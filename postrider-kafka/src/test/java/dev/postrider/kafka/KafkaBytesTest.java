package dev.postrider.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.PublishResult.Kind;
import io.cloudevents.CloudEvent;
import io.cloudevents.kafka.KafkaMessageFactory;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Bytes and headers arrive as they were enqueued, whatever they are. */
final class KafkaBytesTest {

    private static final int MESSAGES = 300;
    private static final int LARGE = 900 * 1024;

    private final Cluster cluster = Cluster.shared();
    private final String topic = cluster.freshTopic();

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    @Tag("B7")
    @Tag("R3.8")
    void anyPayloadAndAnyHeaderArriveUnchanged() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<OutboxMessage> sent = Stream.concat(
                        special().stream(), IntStream.range(0, MESSAGES).mapToObj(i -> arbitrary(random)))
                .toList();
        try (KafkaPublisher publisher = cluster.publisher().build()) {
            assertThat(Collected.publish(publisher, sent).kinds())
                    .as("seed %d", seed)
                    .containsOnly(Kind.ACKED);
        }

        Map<String, ConsumerRecord<byte[], byte[]>> arrived = new HashMap<>();
        cluster.read(topic).forEach(read -> arrived.put(header(read, "id"), read));

        assertThat(arrived).as("seed %d", seed).hasSize(sent.size());
        for (OutboxMessage message : sent) {
            ConsumerRecord<byte[], byte[]> read =
                    Objects.requireNonNull(arrived.get(message.id().toString()));
            assertThat(read.value()).as("payload, seed %d", seed).isEqualTo(message.payload());
            assertThat(read.key())
                    .as("key, seed %d", seed)
                    .isEqualTo(utf8(message.key().orElseThrow()));
            assertThat(headers(read)).as("headers, seed %d", seed).containsAllEntriesOf(message.headers());
        }
    }

    @Test
    @Tag("B7")
    void theCloudEventsSdkReadsTheMessage() {
        OutboxMessage message = OutboxMessage.to(topic, "com.example.OrderPlaced")
                .key("order-42")
                .contentType("application/json")
                .header("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
                .header("ce_region", "eu")
                .payload("{\"total\": 1.0}")
                .build();
        try (KafkaPublisher publisher = cluster.publisher()
                .cloudEvents(URI.create("https://example.com/orders"))
                .build()) {
            assertThat(Collected.result(publisher, message).kind()).isEqualTo(Kind.ACKED);
        }

        ConsumerRecord<byte[], byte[]> read = cluster.read(topic).get(0);
        CloudEvent event = KafkaMessageFactory.createReader(read).toEvent();

        assertThat(event.getId()).isEqualTo(message.id().toString());
        assertThat(event.getType()).isEqualTo("com.example.OrderPlaced");
        assertThat(event.getSource()).isEqualTo(URI.create("https://example.com/orders"));
        assertThat(event.getSubject()).isEqualTo("order-42");
        assertThat(event.getDataContentType()).isEqualTo("application/json");
        assertThat(event.getTime()).isNotNull();
        assertThat(event.getExtension("region")).isEqualTo("eu");
        assertThat(Objects.requireNonNull(event.getData()).toBytes()).isEqualTo(message.payload());
        assertThat(header(read, "traceparent")).isEqualTo("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
    }

    private List<OutboxMessage> special() {
        byte[] large = new byte[LARGE];
        new Random(1).nextBytes(large);
        return Stream.of(
                        new byte[] {},
                        new byte[] {0},
                        utf8("{\"a\": \"\u0000\"}"),
                        // A lone surrogate, an overlong slash, a byte that UTF-8 never has.
                        new byte[] {(byte) 0xed, (byte) 0xa0, (byte) 0x80},
                        new byte[] {(byte) 0xc0, (byte) 0xaf},
                        new byte[] {(byte) 0xff},
                        large)
                .map(payload -> OutboxMessage.to(topic, "Special")
                        .key("key")
                        .payload(payload)
                        .build())
                .toList();
    }

    private OutboxMessage arbitrary(Random random) {
        byte[] payload = new byte[random.nextInt(10) == 0 ? random.nextInt(20_000) : random.nextInt(200)];
        random.nextBytes(payload);
        OutboxMessage.Builder builder =
                OutboxMessage.to(topic, "Arbitrary").key(text(random, 1, 100)).payload(payload);
        for (int i = random.nextInt(5); i > 0; i--) {
            builder.header("h" + i + "-" + text(random, 0, 50), text(random, 0, 300));
        }
        return builder.build();
    }

    /** Any text a message may carry: all of Unicode except control characters and halves of surrogate pairs. */
    private static String text(Random random, int min, int max) {
        StringBuilder text = new StringBuilder();
        int length = min + random.nextInt(max - min + 1);
        while (text.length() < length) {
            int point = random.nextBoolean() ? random.nextInt(0x250) : random.nextInt(Character.MAX_CODE_POINT + 1);
            boolean surrogate = point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
            if (!surrogate && !Character.isISOControl(point)) {
                text.appendCodePoint(point);
            }
        }
        return text.toString();
    }

    private static Map<String, String> headers(ConsumerRecord<byte[], byte[]> read) {
        Map<String, String> headers = new HashMap<>();
        for (Header header : read.headers()) {
            assertThat(headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8)))
                    .as("second header %s", header.key())
                    .isNull();
        }
        return headers;
    }

    private static String header(ConsumerRecord<byte[], byte[]> read, String name) {
        return Objects.requireNonNull(headers(read).get(name));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
