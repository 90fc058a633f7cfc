package dev.postrider.kafka;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.testkit.PublisherContract;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.AfterEach;

/** The contract of publishers on a real broker, in one of the modes. */
abstract class KafkaPublisherContract extends PublisherContract {

    private final Cluster cluster = Cluster.shared();
    private final String topic = cluster.freshTopic();
    private final KafkaPublisher publisher = configure(cluster.publisher()).build();

    abstract KafkaPublisherBuilder configure(KafkaPublisherBuilder builder);

    @AfterEach
    void close() {
        publisher.close();
        cluster.close();
    }

    @Override
    protected MessagePublisher publisher() {
        return publisher;
    }

    @Override
    protected String topic() {
        return topic;
    }

    @Override
    protected List<OutboxMessage> arrived() {
        return cluster.readCommitted(topic).stream()
                .map(KafkaPublisherContract::message)
                .toList();
    }

    @Override
    protected Optional<OutboxMessage> tooLarge() {
        return Optional.of(OutboxMessage.to(topic, "Large")
                .key("large")
                .payload(new byte[2 * 1024 * 1024])
                .build());
    }

    private static OutboxMessage message(ConsumerRecord<byte[], byte[]> read) {
        Map<String, String> headers = new HashMap<>();
        for (Header header : read.headers()) {
            headers.put(header.key(), text(header.value()));
        }
        OutboxMessage.Builder builder = OutboxMessage.to(read.topic(), String.valueOf(headers.get("type")))
                .id(UUID.fromString(String.valueOf(headers.get("id"))))
                .headers(headers)
                .payload(read.value());
        return read.key() == null
                ? builder.restore()
                : builder.key(text(read.key())).restore();
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
