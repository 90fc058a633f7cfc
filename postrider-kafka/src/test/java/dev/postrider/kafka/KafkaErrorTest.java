package dev.postrider.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postrider.OutboxMessage;
import dev.postrider.consumers.InboxDatabase;
import dev.postrider.services.Database.Kind;
import dev.postrider.spi.PublishResult;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** Publisher and consumer after an Error, which the client's own extension points or the relay's answers throw. */
final class KafkaErrorTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** Throws when the first records are received. */
    public static final class Interceptor implements ConsumerInterceptor<byte[], byte[]> {

        private static final AtomicInteger ERRORS = new AtomicInteger();

        @Override
        public ConsumerRecords<byte[], byte[]> onConsume(ConsumerRecords<byte[], byte[]> records) {
            if (ERRORS.getAndDecrement() > 0) {
                throw new NoClassDefFoundError("com/example/Tracing");
            }
            return records;
        }

        @Override
        public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {}

        @Override
        public void close() {}

        @Override
        public void configure(Map<String, ?> configs) {}
    }

    // The server accepts and says nothing, so that only the thread that watches the clock can answer.
    @Test
    void messagesAreAnsweredInTimeAfterAnErrorOfAnAnswer() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                KafkaPublisher publisher = KafkaPublisher.builder("127.0.0.1:" + silent.getLocalPort())
                        .property("delivery.timeout.ms", 500)
                        .property("request.timeout.ms", 400)
                        .property("max.block.ms", 400)
                        .answerWithin(Duration.ofSeconds(1))
                        .build()) {
            AtomicInteger errors = new AtomicInteger();
            publisher.publish(List.of(Collected.claimed(message("orders"))), (claimed, result) -> {
                errors.incrementAndGet();
                throw new OutOfMemoryError("pretended");
            });
            await().atMost(PATIENCE).until(() -> errors.get() == 1);

            PublishResult next = Collected.result(publisher, message("orders"));

            assertThat(next.kind()).isEqualTo(PublishResult.Kind.UNAVAILABLE);
            assertThat(next.error()).contains("Kafka did not answer within");
            assertThat(publisher.restarts()).isEqualTo(1);
        }
    }

    @Test
    void transactionThatEndsByAnErrorIsUnavailableAndTheNextHasANewProducer() {
        try (Cluster cluster = Cluster.shared()) {
            String topic = cluster.freshTopic();
            AtomicInteger made = new AtomicInteger();
            String id = Cluster.freshName();
            Threads threads = new Threads(1, () -> {});
            ShardLane lane = new ShardLane(0, () -> producer(cluster, id, made), threads.transactions());
            AtomicInteger acked = new AtomicInteger();
            AtomicInteger unavailable = new AtomicInteger();
            for (int i = 0; i < 2; i++) {
                Wave wave = new Wave(
                        1,
                        (claimed, result) ->
                                (result.kind() == PublishResult.Kind.ACKED ? acked : unavailable).incrementAndGet());
                var claimed = Collected.claimed(message(topic));
                lane.add(wave.add(claimed, new ProducerRecord<>(topic, new byte[1])), false);
                lane.start();
                int answers = i + 1;
                await().atMost(PATIENCE).until(() -> acked.get() + unavailable.get() == answers);
            }

            assertThat(unavailable).hasValue(1);
            assertThat(acked).hasValue(1);
            assertThat(made).hasValue(2);
            assertThat(threads.restarts()).isEqualTo(1);
            lane.close(System.nanoTime());
            threads.close();
        }
    }

    @Test
    void consumerGoesOnAfterAnErrorOfAnInterceptorAndCountsIt() {
        Interceptor.ERRORS.set(1);
        try (Inboxes site = new Inboxes(1, Kind.H2)) {
            site.send(3);

            try (KafkaInboxConsumer consumer = site.consumer()
                    .property("interceptor.classes", Interceptor.class.getName())
                    .handler(InboxDatabase::effect)
                    .build()
                    .start()) {
                site.database.awaitEffects(3);

                assertThat(consumer.health().alive()).isTrue();
                assertThat(consumer.health().restarts()).isEqualTo(1);
            }
        }
    }

    private static Producer<byte[], byte[]> producer(Cluster cluster, String id, AtomicInteger made) {
        boolean first = made.incrementAndGet() == 1;
        Map<String, Object> settings =
                Map.of("bootstrap.servers", cluster.server().bootstrapServers(), "transactional.id", id);
        return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer()) {
            @Override
            public void commitTransaction() {
                if (first) {
                    // What is thrown on would otherwise end the JVM of the tests.
                    Thread.currentThread().setUncaughtExceptionHandler((thread, error) -> {});
                    throw new StackOverflowError();
                }
                super.commitTransaction();
            }
        };
    }

    private static OutboxMessage message(String topic) {
        return OutboxMessage.to(topic, "Test").payload("{}").build();
    }
}
