package dev.postrider.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postrider.OutboxMessage;
import dev.postrider.services.CapturedLog;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.PublishResult.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.common.acl.AclOperation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Topics that are missing, forbidden, changed or deleted. */
final class KafkaTopicsTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Cluster cluster = Cluster.shared();

    @AfterEach
    void close() {
        cluster.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aMissingAndAForbiddenTopicHoldUpNoOther(boolean transactional) {
        List<String> good =
                IntStream.range(0, 8).mapToObj(i -> cluster.freshTopic()).toList();
        String missing = Cluster.freshName();
        String forbidden = cluster.freshTopic();
        cluster.forbid(forbidden, AclOperation.WRITE);
        KafkaPublisherBuilder builder = cluster.namedPublisher();
        try (KafkaPublisher publisher =
                (transactional ? builder.transactional(Cluster.freshName()) : builder).build()) {
            List<OutboxMessage> wave = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                wave.add(to(missing).build());
                wave.add(to(forbidden).build());
                good.forEach(topic -> wave.add(to(topic).build()));
            }

            Collected collected = Collected.publish(publisher, wave);

            List<PublishResult> results = collected.all();
            assertThat(IntStream.range(0, wave.size()))
                    .allSatisfy(i -> assertThat(results.get(i))
                            .isEqualTo(expected(wave.get(i).topic(), missing, forbidden)));
            assertThat(good).allSatisfy(topic -> assertThat(cluster.read(topic)).hasSize(20));
        }
    }

    private static PublishResult expected(String topic, String missing, String forbidden) {
        if (topic.equals(missing)) {
            return PublishResult.unavailable(
                    "Kafka has no topic '" + missing + "': create it, or correct the publisher's topic template");
        }
        return topic.equals(forbidden) ? forbidden(topic) : PublishResult.acked();
    }

    private static PublishResult forbidden(String topic) {
        return PublishResult.unavailable(
                "Kafka forbids the publisher topic '" + topic + "': grant its user DESCRIBE and WRITE on it");
    }

    @ParameterizedTest
    @EnumSource(
            value = AclOperation.class,
            names = {"WRITE", "DESCRIBE"})
    void aForbiddenTopicSaysWhatToDo(AclOperation operation) {
        String topic = cluster.freshTopic();
        cluster.forbid(topic, operation);
        try (KafkaPublisher publisher = cluster.namedPublisher().build()) {
            assertThat(Collected.result(publisher, to(topic).build())).isEqualTo(forbidden(topic));
        }
    }

    @Test
    void aTopicThatBecomesForbiddenIsUnavailable() {
        String topic = cluster.freshTopic();
        try (KafkaPublisher publisher = cluster.namedPublisher().build()) {
            assertThat(Collected.result(publisher, to(topic).build()).kind()).isEqualTo(Kind.ACKED);

            cluster.forbid(topic, AclOperation.WRITE);

            assertThat(Collected.result(publisher, to(topic).build())).isEqualTo(forbidden(topic));
        }
    }

    @Test
    void aTopicThatIsCreatedLaterIsFound() {
        String topic = Cluster.freshName();
        try (KafkaPublisher publisher = cluster.publisher().build()) {
            assertThat(Collected.result(publisher, to(topic).build()).kind()).isEqualTo(Kind.UNAVAILABLE);

            cluster.create(topic, Map.of());

            await().atMost(PATIENCE)
                    .until(() -> Collected.result(publisher, to(topic).build()).kind() == Kind.ACKED);
        }
    }

    @Test
    void aDeletedTopicIsUnavailableAndHoldsUpNoOther() {
        String deleted = cluster.freshTopic();
        String other = cluster.freshTopic();
        try (KafkaPublisher publisher = cluster.publisher()
                .property("metadata.max.age.ms", 200)
                .property("request.timeout.ms", 2_000)
                .property("delivery.timeout.ms", 3_000)
                .build()) {
            Collected.publish(publisher, to(deleted).build(), to(other).build()).all();

            cluster.delete(deleted);

            await().atMost(PATIENCE)
                    .until(() -> Collected.publish(
                                    publisher, to(deleted).build(), to(other).build())
                            .kinds()
                            .equals(List.of(Kind.UNAVAILABLE, Kind.ACKED)));
            cluster.create(deleted, Map.of());
            await().atMost(PATIENCE)
                    .until(() ->
                            Collected.result(publisher, to(deleted).build()).kind() == Kind.ACKED);
        }
    }

    @Test
    void aPublisherTheClusterDoesNotKnowIsUnavailable() {
        String topic = cluster.freshTopic();
        try (KafkaPublisher publisher = cluster.namedPublisher()
                .property(
                        "sasl.jaas.config",
                        "org.apache.kafka.common.security.plain.PlainLoginModule required"
                                + " username=\"publisher\" password=\"a-wrong-secret\";")
                .build()) {
            PublishResult result = Collected.result(publisher, to(topic).build());

            assertThat(result.kind()).isEqualTo(Kind.UNAVAILABLE);
            assertThat(result.error()).startsWith("SaslAuthenticationException").doesNotContain("a-wrong-secret");
        }
    }

    @Test
    void anImpossibleTopicNameIsRejected() {
        try (KafkaPublisher publisher = cluster.publisher().build()) {
            PublishResult result = Collected.result(publisher, to("with space").build());

            assertThat(result.kind()).isEqualTo(Kind.REJECTED);
            assertThat(result.error()).contains("InvalidTopicException").contains("'with space'");
        }
    }

    @Test
    void topicWithOneReplicaIsWarnedOfOnce() {
        String topic = cluster.freshTopic();
        try (CapturedLog log = CapturedLog.start();
                KafkaPublisher publisher = cluster.publisher().build();
                KafkaPublisher second = cluster.publisher().build()) {
            Collected.result(publisher, to(topic).build());
            Collected.result(publisher, to(topic).build());
            assertThat(log.lines("Topic " + topic + " has one replica")).hasSize(1);

            Collected.result(second, to(topic).build());

            assertThat(log.lines("Topic " + topic + " has one replica"))
                    .as("one for each publisher")
                    .hasSize(2);
        }
    }

    @Test
    void userWithoutDescribeConfigsIsToldToGrantIt() {
        String topic = cluster.freshTopic();
        cluster.forbid(topic, AclOperation.DESCRIBE_CONFIGS);
        try (CapturedLog log = CapturedLog.start();
                KafkaPublisher publisher = cluster.namedPublisher().build()) {
            assertThat(Collected.result(publisher, to(topic).build()).kind()).isEqualTo(Kind.ACKED);

            assertThat(log.lines("grant DESCRIBE_CONFIGS")).hasSize(1);
        }
    }

    @Test
    void brokerThatIsAwayIsNoReasonToGrantRights() {
        try (CapturedLog log = CapturedLog.start();
                KafkaPublisher publisher =
                        Cluster.patient(KafkaPublisher.builder("127.0.0.1:1")).build()) {
            assertThat(Collected.result(publisher, to("orders").build()).kind()).isEqualTo(Kind.UNAVAILABLE);

            assertThat(log.lines("DESCRIBE_CONFIGS")).isEmpty();
        }
    }

    @Test
    void aMessageTheTemplateDoesNotFitIsRejected() {
        String topic = cluster.freshTopic();
        try (KafkaPublisher publisher = cluster.publisher().topic("{tenant}").build()) {
            OutboxMessage fits = to("any").tenant(topic).build();
            OutboxMessage lacksTenant = to("any").build();

            assertThat(Collected.publish(publisher, lacksTenant, fits).kinds())
                    .containsExactly(Kind.REJECTED, Kind.ACKED);
            assertThat(cluster.read(topic)).hasSize(1);
        }
    }

    private static OutboxMessage.Builder to(String topic) {
        return OutboxMessage.to(topic, "Test").payload("{}");
    }
}
