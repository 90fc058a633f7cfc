package dev.postrider.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postrider.OutboxMessage;
import dev.postrider.publish.NameTemplate;
import dev.postrider.services.KafkaOptions;
import dev.postrider.services.TcpProxy;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.PublishResult.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How one producer follows another, with a real broker that can be cut off. */
final class ProducerLaneTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    // Long enough for a broker on a busy machine, and well before our own clock.
    private static final int DELIVERY_TIMEOUT_MILLIS = 6_000;
    private static final Records RECORDS = new Records(NameTemplate.of("{topic}"), null);

    private static TcpProxy proxy;
    private static Cluster cluster;

    private final String topic = Cluster.freshName();
    private final Unanswered unanswered = new Unanswered(Duration.ofSeconds(12));
    private final List<PublishResult> answers = new CopyOnWriteArrayList<>();
    private final List<Producer<byte[], byte[]>> made = new CopyOnWriteArrayList<>();
    private final AtomicInteger tooEarly = new AtomicInteger();
    private final AtomicInteger replaced = new AtomicInteger();
    private final ExecutorService executor = Executors.newFixedThreadPool(2);
    private final ProducerLane lane = new ProducerLane(this::make, executor, replaced::incrementAndGet);

    @BeforeAll
    static void start() {
        proxy = TcpProxy.unconnected();
        cluster = Cluster.start(KafkaOptions.defaults().withAdvertisedPort(proxy.port()));
        proxy.forwardTo(cluster.server().port());
    }

    @AfterAll
    static void end() {
        // Null where there is no broker and the tests are skipped.
        if (cluster != null) {
            cluster.close();
        }
        proxy.close();
    }

    @BeforeEach
    void createTopic() {
        cluster.create(topic, Map.of());
    }

    @AfterEach
    void close() {
        proxy.heal();
        lane.close();
        executor.shutdownNow();
    }

    // A producer that has not got its id yet never times out by itself: then our own clock has to notice.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aProducerThatTimedOutIsClosedBeforeTheNextIsMade(boolean hasSentBefore) {
        lane.prepare(topic).toCompletableFuture().join();
        if (hasSentBefore) {
            sendAndAwait();
            assertThat(answers).containsOnly(PublishResult.acked());
            answers.clear();
        }

        proxy.blackhole();
        sendAndAwait();
        proxy.heal();

        assertThat(answers).extracting(PublishResult::kind).containsOnly(Kind.UNAVAILABLE);
        await().atMost(PATIENCE).until(() -> replaced.get() == 1);
        List<Pending> next = pending();
        assertThat(lane.send(next)).isEqualTo(next);
        lane.prepare(topic).toCompletableFuture().join();
        assertThat(made).hasSize(2);
        assertThat(tooEarly).hasValue(0);
        answers.clear();
        sendAndAwait();
        assertThat(answers).containsOnly(PublishResult.acked());
    }

    private void sendAndAwait() {
        assertThat(lane.send(pending())).isEmpty();
        await().atMost(PATIENCE).until(() -> {
            unanswered.expire(lane::late);
            return answers.size() == 20;
        });
    }

    private List<Pending> pending() {
        List<Pending> messages = new ArrayList<>();
        Wave wave = new Wave(20, (any, result) -> answers.add(result));
        for (int i = 0; i < 20; i++) {
            ClaimedMessage claimed =
                    Collected.claimed(OutboxMessage.to(topic, "Test").build());
            messages.add(wave.add(claimed, RECORDS.of(claimed)));
        }
        unanswered.add(wave);
        return messages;
    }

    private Producer<byte[], byte[]> make() {
        tooEarly.addAndGet((int) made.stream().filter(this::isOpen).count());
        Map<String, Object> settings = Map.of(
                "bootstrap.servers",
                cluster.server().bootstrapServers(),
                "delivery.timeout.ms",
                DELIVERY_TIMEOUT_MILLIS,
                "request.timeout.ms",
                DELIVERY_TIMEOUT_MILLIS - 1_000,
                "linger.ms",
                0);
        made.add(new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer()));
        return made.get(made.size() - 1);
    }

    private boolean isOpen(Producer<byte[], byte[]> producer) {
        try {
            Future<RecordMetadata> unused = producer.send(new ProducerRecord<>(topic, new byte[0]));
            return true;
        } catch (IllegalStateException e) {
            return false;
        } catch (KafkaException e) {
            return true;
        }
    }
}
