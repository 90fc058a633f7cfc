package dev.postrider.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.consumers.InboxDatabase;
import dev.postrider.consumers.TestMessage;
import dev.postrider.services.Database.Kind;
import java.util.List;
import java.util.stream.IntStream;

/** A topic and a database for the tests that only Kafka needs. */
final class Inboxes implements AutoCloseable {

    final KafkaTopic topic;
    final InboxDatabase database;
    private final int partitions;

    Inboxes(int partitions) {
        this(partitions, Kind.POSTGRES_15);
    }

    Inboxes(int partitions, Kind kind) {
        this.database = InboxDatabase.open(kind);
        this.topic = new KafkaTopic(Cluster.shared(), partitions);
        this.partitions = partitions;
    }

    KafkaInboxConsumerBuilder consumer() {
        return topic.consumer(database.inbox().build());
    }

    /** Sends m0, m1, ... over the partitions in turn, each with a key of its own. */
    void send(int count) {
        topic.send(TestMessage.numbered(count, partitions));
    }

    /** Sends the same from number {@code first} on. */
    void send(int first, int count) {
        topic.send(IntStream.range(first, first + count)
                .mapToObj(i -> TestMessage.of(i % partitions, "key-" + i, "m" + i))
                .toList());
    }

    /** Waits until all offsets are committed, and checks that each of these has exactly one effect. */
    void assertOneEffectEach(List<String> expected) {
        topic.awaitCommitted(topic.group);
        assertThat(database.effects()).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Override
    public void close() {
        topic.close();
        database.close();
    }
}
