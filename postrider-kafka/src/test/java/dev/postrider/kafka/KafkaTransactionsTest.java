package dev.postrider.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postrider.OutboxMessage;
import dev.postrider.services.KafkaOptions;
import dev.postrider.services.TcpProxy;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.PublishResult.Kind;
import dev.postrider.spi.Shards;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What consumers that read committed records see of transactions. */
final class KafkaTransactionsTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final String prefix = Cluster.freshName();

    @Test
    void anOlderRelayIsFencedAndItsLaterSendsAreInvisible() {
        try (Cluster cluster = Cluster.shared();
                KafkaPublisher older = cluster.publisher().transactional(prefix).build();
                KafkaPublisher newer = cluster.publisher().transactional(prefix).build()) {
            String topic = cluster.freshTopic();
            assertThat(Collected.result(older, message(topic, "1"))).isEqualTo(PublishResult.acked());
            assertThat(Collected.result(newer, message(topic, "2"))).isEqualTo(PublishResult.acked());

            PublishResult fenced = Collected.result(older, message(topic, "3"));

            assertThat(fenced)
                    .isEqualTo(PublishResult.unavailable(
                            "Fenced by Kafka: another relay took over shard " + Shards.of(message(topic, "any"))));
            assertThat(Collected.result(newer, message(topic, "4"))).isEqualTo(PublishResult.acked());
            awaitPayloads(cluster, topic, "1", "2", "4");
        }
    }

    @Test
    void relaysOfDifferentShardsDoNotFenceEachOther() {
        try (Cluster cluster = Cluster.shared();
                KafkaPublisher one = cluster.publisher().transactional(prefix).build();
                KafkaPublisher other = cluster.publisher().transactional(prefix).build()) {
            String topic = cluster.freshTopic();
            List<String> keys = keysOfTwoShards();
            for (int i = 0; i < 3; i++) {
                assertThat(Collected.result(one, keyed(topic, keys.get(0), "one"))
                                .kind())
                        .isEqualTo(Kind.ACKED);
                assertThat(Collected.result(other, keyed(topic, keys.get(1), "other"))
                                .kind())
                        .isEqualTo(Kind.ACKED);
            }
        }
    }

    @Test
    void aWaveOfOneShardIsOneTransaction() {
        try (Cluster cluster = Cluster.shared();
                KafkaPublisher publisher =
                        cluster.publisher().transactional(prefix).build()) {
            String topic = Cluster.freshName();
            String other = Cluster.freshName();
            cluster.create(topic, 1, Map.of());
            cluster.create(other, 1, Map.of());
            Collected.publish(publisher, message(topic, "first"), message(other, "first"))
                    .all();
            long begin = cluster.endOfFirstPartition(topic);

            List<Kind> kinds = Collected.publish(
                            publisher,
                            IntStream.range(0, 100)
                                    .mapToObj(i -> message(i % 2 == 0 ? topic : other, "number " + i))
                                    .toList())
                    .kinds();

            assertThat(kinds).containsOnly(Kind.ACKED);
            await().atMost(PATIENCE).until(() -> cluster.endOfFirstPartition(topic) >= begin + 51);
            assertThat(cluster.endOfFirstPartition(topic)).isEqualTo(begin + 51);
        }
    }

    @Test
    void whatASuccessorFindsUnfinishedIsNeverSeen() {
        try (TcpProxy proxy = TcpProxy.unconnected();
                Cluster cluster = Cluster.start(KafkaOptions.defaults().withAdvertisedPort(proxy.port()))) {
            proxy.forwardTo(cluster.server().port());
            String topic = cluster.freshTopic();
            Collected unfinished;
            try (KafkaPublisher successor =
                    cluster.namedPublisher().transactional(prefix).build()) {
                try (KafkaPublisher cutOff =
                        cluster.publisher().transactional(prefix).build()) {
                    assertThat(Collected.result(cutOff, message(topic, "before")))
                            .isEqualTo(PublishResult.acked());
                    proxy.swallowResponses();
                    unfinished = Collected.publish(cutOff, message(topic, "unfinished"));

                    assertThat(Collected.result(successor, message(topic, "after")))
                            .isEqualTo(PublishResult.acked());
                }
                assertThat(unfinished.kinds()).containsExactly(Kind.UNAVAILABLE);
                proxy.heal();
                awaitPayloads(cluster, topic, "before", "after");
            }
        }
    }

    // The messages have one key: when the last is seen, what stands before it in the partition has been decided.
    private static void awaitPayloads(Cluster cluster, String topic, String... expected) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(payloads(cluster, topic)).containsExactly(expected));
    }

    private static List<String> payloads(Cluster cluster, String topic) {
        return cluster.readCommitted(topic).stream()
                .map(read -> new String(read.value(), StandardCharsets.UTF_8))
                .toList();
    }

    private static List<String> keysOfTwoShards() {
        int shard = Shards.of(keyed("any", "0", ""));
        String other = IntStream.range(1, 1_000)
                .mapToObj(Integer::toString)
                .filter(key -> Shards.of(keyed("any", key, "")) != shard)
                .findFirst()
                .orElseThrow();
        return List.of("0", other);
    }

    private static OutboxMessage message(String topic, String payload) {
        return keyed(topic, "42", payload);
    }

    private static OutboxMessage keyed(String topic, String key, String payload) {
        return OutboxMessage.to(topic, "Test").key(key).payload(payload).build();
    }
}
