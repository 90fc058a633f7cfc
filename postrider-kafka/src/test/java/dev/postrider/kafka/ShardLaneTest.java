package dev.postrider.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postrider.OutboxMessage;
import dev.postrider.publish.NameTemplate;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.PublishResult.Kind;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whom a transaction that had to be aborted blames, with a real broker. */
final class ShardLaneTest {

    private static final int LIMIT = 20_000;
    private static final Records RECORDS = new Records(NameTemplate.of("{topic}"), null);

    private final Cluster cluster = Cluster.shared();
    private final String topic = Cluster.freshName();

    @AfterEach
    void close() {
        cluster.close();
    }

    // With the long linger the messages that fit still wait in the client when it refuses the one that does not.
    @Test
    void aMessageTheClientRefusesIsTheOnlyOneRejected() {
        cluster.create(topic, 1, Map.of());

        List<Kind> kinds = transmit(Map.of("max.request.size", LIMIT, "linger.ms", 60_000), 10, 10, LIMIT, 10);

        assertThat(kinds).containsExactly(Kind.ACKED, Kind.ACKED, Kind.REJECTED, Kind.ACKED);
        awaitCommitted(3);
    }

    // With one request at a time the messages that fit still wait in the client when the broker answers the first.
    @Test
    void aMessageTheBrokerRefusesIsTheOnlyOneRejected() {
        cluster.create(topic, 1, Map.of("max.message.bytes", Integer.toString(LIMIT)));

        List<Kind> kinds = transmit(Map.of("max.in.flight.requests.per.connection", 1), LIMIT, 10, 10);

        assertThat(kinds).containsExactly(Kind.REJECTED, Kind.ACKED, Kind.ACKED);
        awaitCommitted(2);
    }

    // The broker marks a transaction as committed after it has answered.
    private void awaitCommitted(int messages) {
        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(cluster.readCommitted(topic)).hasSize(messages));
    }

    private List<Kind> transmit(Map<String, Object> settings, int... payloads) {
        Map<Long, Kind> kinds = new TreeMap<>();
        Wave wave = new Wave(payloads.length, (claimed, result) -> kinds.put(claimed.seq(), result.kind()));
        ShardLane lane = new ShardLane(0, () -> producer(settings), Runnable::run);
        for (int payload : payloads) {
            ClaimedMessage claimed = Collected.claimed(OutboxMessage.to(topic, "Test")
                    .key("key")
                    .payload(new byte[payload])
                    .build());
            lane.add(wave.add(claimed, RECORDS.of(claimed)), false);
        }
        lane.start();
        lane.close(System.nanoTime());
        return List.copyOf(kinds.values());
    }

    private Producer<byte[], byte[]> producer(Map<String, Object> settings) {
        Map<String, Object> all = new HashMap<>(settings);
        all.put("bootstrap.servers", cluster.server().bootstrapServers());
        all.put("transactional.id", Cluster.freshName());
        return new SlowToAbort(all);
    }

    /** Lets the client tell all messages of a failed transaction about it before that is aborted. */
    private static final class SlowToAbort extends KafkaProducer<byte[], byte[]> {

        private SlowToAbort(Map<String, Object> settings) {
            super(settings, new ByteArraySerializer(), new ByteArraySerializer());
        }

        @Override
        public void abortTransaction() {
            flush();
            super.abortTransaction();
        }
    }
}
