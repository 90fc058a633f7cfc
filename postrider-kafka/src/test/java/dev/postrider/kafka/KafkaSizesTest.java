package dev.postrider.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postrider.MessageLimits;
import dev.postrider.OutboxMessage;
import dev.postrider.publish.NameTemplate;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.PublishResult.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.acl.AclOperation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages just below and above the limits of the topic and of the producer. */
final class KafkaSizesTest {

    private static final int LIMIT = 20_000;
    private static final Records RECORDS = new Records(NameTemplate.of("{topic}"), null);

    private final Cluster cluster = Cluster.shared();
    private final String topic = Cluster.freshName();

    @AfterEach
    void close() {
        cluster.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatJustFitsTheTopicArrivesAndOneByteMoreIsRejected(boolean keyed) {
        limitTopic();
        OutboxMessage fits = ofSize(LIMIT, keyed);
        OutboxMessage tooLarge = ofSize(LIMIT + 1, keyed);
        try (KafkaPublisher publisher = cluster.publisher().build()) {
            List<PublishResult> results =
                    Collected.publish(publisher, fits, tooLarge).all();

            assertThat(results.get(0)).isEqualTo(PublishResult.acked());
            assertThat(results.get(1))
                    .isEqualTo(PublishResult.rejected(
                            "The message takes 20001 bytes, above max.message.bytes of topic '%s', 20000"
                                    .formatted(topic)));
            assertThat(cluster.read(topic)).hasSize(1);
        }
    }

    // Shows that the size is exact: the broker, asked without our check, draws the line at the same byte.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theBrokerRejectsWhatWeCouldNotCheck(boolean transactional) {
        limitTopic();
        cluster.forbid(topic, AclOperation.DESCRIBE_CONFIGS);
        KafkaPublisherBuilder builder = cluster.namedPublisher().property("batch.size", LIMIT / 2);
        try (KafkaPublisher publisher =
                (transactional ? builder.transactional(Cluster.freshName()) : builder).build()) {
            OutboxMessage fits = ofSize(LIMIT, true);
            OutboxMessage tooLarge = ofSize(LIMIT + 1, true);

            List<PublishResult> results =
                    Collected.publish(publisher, tooLarge, fits).all();

            assertThat(results.get(0).kind()).isEqualTo(Kind.REJECTED);
            assertThat(results.get(0).error()).startsWith("RecordTooLargeException");
            assertThat(results.get(1)).isEqualTo(PublishResult.acked());
            awaitArrived(1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theProducersOwnLimitRejectsOneMessageOnly(boolean transactional) {
        cluster.create(topic, Map.of());
        KafkaPublisherBuilder builder = cluster.publisher().property("max.request.size", LIMIT);
        try (KafkaPublisher publisher =
                (transactional ? builder.transactional(Cluster.freshName()) : builder).build()) {
            List<OutboxMessage> wave = new ArrayList<>();
            // From what certainly fits over what only the client may judge to what certainly does not.
            for (int size = LIMIT - 100; size <= LIMIT + 10; size += 10) {
                wave.add(ofSize(size, true));
            }

            List<Kind> kinds = Collected.publish(publisher, wave).kinds();

            assertThat(kinds.get(0)).isEqualTo(Kind.ACKED);
            assertThat(kinds.get(kinds.size() - 1)).isEqualTo(Kind.REJECTED);
            assertThat(kinds).containsOnly(Kind.ACKED, Kind.REJECTED);
            awaitArrived(kinds.stream().filter(Kind.ACKED::equals).count());
        }
    }

    @Test
    void largestMessageOfTheDefaultLimitsFitsKafkasDefaults() {
        cluster.create(topic, Map.of());
        MessageLimits limits = MessageLimits.defaults();
        OutboxMessage.Builder largest = OutboxMessage.to(topic, "t").key("k".repeat(250));
        for (int i = 0; i < limits.maxHeaders(); i++) {
            String name = "header-%02d".formatted(i);
            largest.header(name, "v".repeat(limits.maxHeaderBytes() / limits.maxHeaders() - name.length()));
        }
        OutboxMessage message =
                largest.payload(new byte[limits.maxPayloadBytes()]).build();
        limits.check(message);

        try (KafkaPublisher publisher = cluster.publisher().build()) {
            assertThat(Collected.result(publisher, message)).isEqualTo(PublishResult.acked());
        }
    }

    @Test
    void whatFitsOnlyCompressedArrives() {
        limitTopic();
        try (KafkaPublisher publisher =
                cluster.publisher().property("compression.type", "gzip").build()) {
            assertThat(Collected.result(publisher, ofSize(10 * LIMIT, false))).isEqualTo(PublishResult.acked());
        }
    }

    // The client splits batches that are too large, but never below its batch.size.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void manyMessagesThatFitDoNotMakeEachOtherTooLarge(boolean transactional) {
        limitTopic();
        KafkaPublisherBuilder builder = cluster.publisher();
        try (KafkaPublisher publisher =
                (transactional ? builder.transactional(Cluster.freshName()) : builder).build()) {
            List<OutboxMessage> wave = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                wave.add(ofSize(LIMIT / 3, true));
            }

            assertThat(Collected.publish(publisher, wave).kinds()).containsOnly(Kind.ACKED);
            awaitArrived(50);
        }
    }

    private void awaitArrived(long count) {
        await().untilAsserted(() -> assertThat(cluster.readCommitted(topic)).hasSize((int) count));
    }

    private void limitTopic() {
        cluster.create(topic, Map.of("max.message.bytes", Integer.toString(LIMIT)));
    }

    /** A message whose record takes exactly so many bytes. */
    private OutboxMessage ofSize(int bytes, boolean keyed) {
        int payload = bytes;
        OutboxMessage message = withPayload(payload, keyed);
        while (size(message) > bytes) {
            payload -= size(message) - bytes;
            message = withPayload(payload, keyed);
        }
        assertThat(size(message)).isEqualTo(bytes);
        return message;
    }

    private OutboxMessage withPayload(int length, boolean keyed) {
        OutboxMessage.Builder builder =
                OutboxMessage.to(topic, "Test").header("größe", "x".repeat(100)).payload(new byte[length]);
        return keyed ? builder.key("key").build() : builder.build();
    }

    private static int size(OutboxMessage message) {
        return RecordSize.of(RECORDS.of(Collected.claimed(message)));
    }
}
