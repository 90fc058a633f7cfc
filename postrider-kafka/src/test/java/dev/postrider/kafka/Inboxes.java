package dev.postrider.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postrider.inbox.Inbox;
import dev.postrider.inbox.InboxTransaction;
import dev.postrider.inbox.ReceivedMessage;
import dev.postrider.services.Database.Kind;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** What tests of a consumer share: a broker, a database, a topic, and records for it. */
final class Inboxes implements AutoCloseable {

    static final Duration PATIENCE = Duration.ofMinutes(2);

    final Cluster cluster;
    final Desk desk;
    final String topic = Cluster.freshName();
    final String group = "group-of-" + topic;

    Inboxes(Cluster cluster, Kind kind, int partitions) {
        this.cluster = cluster;
        this.desk = Desk.open(kind);
        cluster.create(topic, partitions, Map.of());
    }

    KafkaInboxConsumerBuilder consumer() {
        return consumer(desk.inbox().build());
    }

    /** A consumer that waits for nothing long. */
    KafkaInboxConsumerBuilder consumer(Inbox inbox) {
        return KafkaInboxConsumer.builder(inbox, Desk.CONSUMER, cluster.server().bootstrapServers())
                .groupId(group)
                .topics(topic)
                .property("fetch.max.wait.ms", 20)
                .backoff(Duration.ofMillis(20), Duration.ofMillis(200))
                .releasedEvery(Duration.ofMillis(100));
    }

    /** A record; the id is a header. */
    ProducerRecord<byte[], byte[]> message(int partition, @Nullable String key, @Nullable String id, String payload) {
        ProducerRecord<byte[], byte[]> made =
                new ProducerRecord<>(topic, partition, key == null ? null : bytes(key), bytes(payload));
        if (id != null) {
            made.headers().add("id", bytes(id));
        }
        return made;
    }

    /** Messages m0, m1, ... over the partitions in turn, each with a key of its own. */
    List<ProducerRecord<byte[], byte[]>> messages(int count, int partitions) {
        return messages(0, count, partitions);
    }

    /** The same from number {@code first} on. */
    List<ProducerRecord<byte[], byte[]>> messages(int first, int count, int partitions) {
        return IntStream.range(first, first + count)
                .mapToObj(i -> message(i % partitions, "key-" + i, "m" + i, "m" + i))
                .toList();
    }

    static List<String> names(int count) {
        return IntStream.range(0, count).mapToObj(i -> "m" + i).toList();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Waits until all offsets are committed, and checks that each of these has exactly one effect. */
    void assertOneEffectEach(List<String> expected) {
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(cluster.uncommitted(group, topic)).isZero());
        assertThat(desk.effects()).containsExactlyInAnyOrderElementsOf(expected);
    }

    void awaitEffects(int atLeast) {
        await().atMost(PATIENCE).until(() -> desk.effects().size() >= atLeast);
    }

    @Override
    public void close() {
        desk.close();
        cluster.close();
    }

    /** A handler that makes its effect, but stops at one message until it is told to go on. */
    static final class Gate {

        private final String payload;
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch opened = new CountDownLatch(1);
        final Set<String> handled = ConcurrentHashMap.newKeySet();

        Gate(String payload) {
            this.payload = payload;
        }

        void handle(ReceivedMessage message, InboxTransaction transaction) throws Exception {
            handled.add(Desk.text(message));
            Desk.effect(message, transaction);
            if (Desk.text(message).equals(payload)) {
                reached.countDown();
                assertThat(opened.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            }
        }

        void awaitReached() throws InterruptedException {
            assertThat(reached.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        }

        void open() {
            opened.countDown();
        }
    }
}
