package dev.postrider.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postrider.OutboxMessage;
import dev.postrider.consumers.ConsumerPlan;
import dev.postrider.consumers.Gate;
import dev.postrider.consumers.InboxDatabase;
import dev.postrider.consumers.RunningConsumer;
import dev.postrider.consumers.TestBroker;
import dev.postrider.consumers.TestMessage;
import dev.postrider.inbox.Inbox;
import dev.postrider.spi.PublishResult;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;

/** A topic of a test's own and the group that reads it. A lane is a partition. */
final class KafkaTopic implements TestBroker {

    final Cluster cluster;
    final String name = Cluster.freshName();
    final String group = "group-of-" + name;
    private final int partitions;
    private final Map<String, Object> properties = new HashMap<>(Map.of("fetch.max.wait.ms", 20));

    KafkaTopic(Cluster cluster, int partitions) {
        this.cluster = cluster;
        this.partitions = partitions;
        cluster.create(name, partitions, Map.of());
    }

    /** Sets one of the consumers' own settings. */
    KafkaTopic with(String property, Object value) {
        properties.put(property, value);
        return this;
    }

    KafkaInboxConsumerBuilder consumer(Inbox inbox) {
        KafkaInboxConsumerBuilder builder = KafkaInboxConsumer.builder(
                        inbox, InboxDatabase.CONSUMER, cluster.server().bootstrapServers())
                .groupId(group)
                .topics(name)
                .backoff(Duration.ofMillis(20), Duration.ofMillis(200))
                .releasedEvery(Duration.ofMillis(100));
        properties.forEach(builder::property);
        return builder;
    }

    @Override
    public void send(List<TestMessage> messages) {
        cluster.send(messages.stream().map(this::made).toList());
    }

    private ProducerRecord<byte[], byte[]> made(TestMessage message) {
        ProducerRecord<byte[], byte[]> made = new ProducerRecord<>(
                name,
                message.lane() % partitions,
                message.key() == null ? null : bytes(message.key()),
                bytes(message.payload()));
        message.headers().forEach((header, value) -> made.headers().add(header, bytes(value)));
        if (message.id() != null) {
            made.headers().add("id", bytes(message.id()));
        }
        return made;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void publish(OutboxMessage message) {
        try (KafkaPublisher publisher = cluster.publisher().topic(name).build()) {
            assertThat(Collected.result(publisher, message).kind()).isEqualTo(PublishResult.Kind.ACKED);
        }
    }

    @Override
    public RunningConsumer start(ConsumerPlan plan) {
        KafkaInboxConsumerBuilder builder = consumer(plan.inbox()).threads(plan.threads());
        plan.setHandler(builder::handler, builder::batchHandler);
        KafkaInboxConsumer consumer = builder.build().start();
        return new RunningConsumer(consumer::health, consumer::close);
    }

    @Override
    public String source() {
        return name + "-0@0";
    }

    @Override
    public void awaitAcknowledged(RunningConsumer consumer) {
        awaitCommitted(group);
    }

    void awaitCommitted(String ofGroup) {
        await().atMost(Gate.PATIENCE)
                .untilAsserted(
                        () -> assertThat(cluster.uncommitted(ofGroup, name)).isZero());
    }

    @Override
    public void close() {
        cluster.close();
    }
}
