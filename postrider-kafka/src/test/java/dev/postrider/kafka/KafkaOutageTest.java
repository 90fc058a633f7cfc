package dev.postrider.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postrider.OutboxMessage;
import dev.postrider.services.KafkaOptions;
import dev.postrider.services.TcpProxy;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.PublishResult.Kind;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A broker that is killed, frozen, cut off or never there: nothing is acked that it does not have. */
final class KafkaOutageTest {

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    // More than one shard; in transactions each has a producer of its own.
    private static final int KEYS = 4;

    private static TcpProxy proxy;
    private static Cluster cluster;

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

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("R3.3")
    void aKilledBrokerIsUnavailableUntilItIsBack(boolean transactional) {
        try (Run run = new Run(transactional)) {
            run.publishUntil(Kind.ACKED);

            cluster.server().kill();
            run.publishUntil(Kind.UNAVAILABLE);
            cluster.server().restart();
            run.publishUntil(Kind.ACKED);

            run.assertNothingAckedIsMissing();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("R3.3")
    void aBrokerThatFreezesPastTheDeliveryTimeoutGetsANewProducer(boolean transactional) {
        try (Run run = new Run(transactional)) {
            run.publishUntil(Kind.ACKED);

            cluster.server().freeze();
            run.publishUntil(Kind.UNAVAILABLE);
            run.publish();
            cluster.server().thaw();
            run.publishUntil(Kind.ACKED);

            run.assertNothingAckedIsMissing();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("R3.3")
    void lostResponsesAreNoAcks(boolean transactional) {
        try (Run run = new Run(transactional)) {
            run.publishUntil(Kind.ACKED);

            proxy.swallowResponses();
            run.publishUntil(Kind.UNAVAILABLE);
            proxy.cut();
            proxy.heal();
            run.publishUntil(Kind.ACKED);

            run.assertNothingAckedIsMissing();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void repeatedCutsLoseNothingThatWasAcked(boolean transactional) {
        try (Run run = new Run(transactional)) {
            for (int i = 0; i < 4; i++) {
                Collected wave = run.send();
                proxy.cut();
                run.keep(wave);
            }
            run.publishUntil(Kind.ACKED);

            run.assertNothingAckedIsMissing();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost:1", "no-such-host.invalid:9092", "no-such-host.invalid:9092,127.0.0.1:1"})
    void anUnreachableBrokerIsUnavailableAndNoReasonNotToStart(String servers) {
        try (KafkaPublisher publisher = hopeless(KafkaPublisher.builder(servers).allowPlaintext(true), false)) {
            PublishResult result = Collected.result(publisher, message("orders"));

            assertThat(result.kind()).isEqualTo(Kind.UNAVAILABLE);
            assertThat(result.error()).isNotBlank();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aServerThatAcceptsAndSaysNothingIsUnavailableInTime(boolean transactional) throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            String servers = "127.0.0.1:" + silent.getLocalPort();
            Collected waiting;
            try (KafkaPublisher patient =
                            transactional(Cluster.patient(KafkaPublisher.builder(servers)), transactional);
                    KafkaPublisher publisher = hopeless(KafkaPublisher.builder(servers), transactional)) {
                waiting = Collected.publish(patient, message("orders"), message("payments"));
                Collected collected = Collected.publish(publisher, message("orders"), message("payments"));

                assertThat(collected.kinds()).containsOnly(Kind.UNAVAILABLE);
                // Had the caller been made to wait, the first message would have its answer by now.
                assertThat(waiting.answered()).isZero();
            }
            assertThat(waiting.kinds()).containsOnly(Kind.UNAVAILABLE);
        }
    }

    @Test
    void closingAnswersWhatIsUnderWay() {
        String topic = cluster.freshTopic();
        KafkaPublisher publisher = cluster.publisher().build();
        assertThat(Collected.result(publisher, message(topic)).kind()).isEqualTo(Kind.ACKED);
        proxy.blackhole();
        Collected underWay = Collected.publish(publisher, message(topic), message("unknown"));

        publisher.close();

        assertThat(underWay.kinds()).containsOnly(Kind.UNAVAILABLE);
        assertThat(Collected.result(publisher, message(topic)))
                .isEqualTo(PublishResult.unavailable("The publisher is closed"));
        proxy.heal();
    }

    /** A publisher that notices an outage soon; a wave that a busy machine delays is published again. */
    private static KafkaPublisher impatient(KafkaPublisherBuilder builder, boolean transactional) {
        return transactional(timeouts(builder, 2_000, Duration.ofSeconds(3)), transactional);
    }

    /** A publisher that can never succeed, so that it need not wait for a busy machine. */
    private static KafkaPublisher hopeless(KafkaPublisherBuilder builder, boolean transactional) {
        return transactional(timeouts(builder, 500, Duration.ofSeconds(1)), transactional);
    }

    private static KafkaPublisherBuilder timeouts(KafkaPublisherBuilder builder, int deliveryMillis, Duration answer) {
        return builder.property("delivery.timeout.ms", deliveryMillis)
                .property("request.timeout.ms", deliveryMillis * 3 / 4)
                .property("max.block.ms", deliveryMillis * 3 / 4)
                .answerWithin(answer);
    }

    private static KafkaPublisher transactional(KafkaPublisherBuilder builder, boolean transactional) {
        return (transactional ? builder.transactional(Cluster.freshName()) : builder).build();
    }

    private static OutboxMessage message(String topic) {
        return OutboxMessage.to(topic, "Test").payload("{}").build();
    }

    /** Publishes wave after wave and remembers what was acked. */
    private static final class Run implements AutoCloseable {

        private final String topic = cluster.freshTopic();
        private final Set<String> acked = new HashSet<>();
        private final KafkaPublisher publisher;

        private Run(boolean transactional) {
            this.publisher = impatient(cluster.publisher(), transactional);
        }

        void publishUntil(Kind expected) {
            await().atMost(PATIENCE).until(() -> publish().stream().allMatch(expected::equals));
        }

        List<Kind> publish() {
            return keep(send());
        }

        // Always the same keys, as a relay comes back with the same messages, so that the same shards go on.
        Collected send() {
            return Collected.publish(
                    publisher,
                    IntStream.range(0, KEYS)
                            .mapToObj(i -> OutboxMessage.to(topic, "Test")
                                    .key("key-" + i)
                                    .payload("{}")
                                    .build())
                            .toList());
        }

        List<Kind> keep(Collected collected) {
            List<Kind> kinds = collected.kinds();
            assertThat(kinds).containsAnyOf(Kind.ACKED, Kind.UNAVAILABLE).doesNotContain(Kind.FAILED, Kind.REJECTED);
            acked.addAll(collected.acked());
            return kinds;
        }

        void assertNothingAckedIsMissing() {
            assertThat(acked).isNotEmpty();
            await().atMost(PATIENCE).untilAsserted(() -> assertThat(arrived()).containsAll(acked));
        }

        private List<String> arrived() {
            return cluster.readCommitted(topic).stream()
                    .map(read -> new String(read.headers().lastHeader("id").value(), StandardCharsets.UTF_8))
                    .toList();
        }

        @Override
        public void close() {
            publisher.close();
        }
    }
}
