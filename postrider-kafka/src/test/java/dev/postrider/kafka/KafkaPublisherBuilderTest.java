package dev.postrider.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.services.CapturedLog;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.Partitioner;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.RoundRobinPartitioner;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class KafkaPublisherBuilderTest {

    private static final Duration ANSWER = Duration.ofSeconds(9);

    @ParameterizedTest
    @CsvSource({
        "acks, 1, all",
        "acks, 0, all",
        "enable.idempotence, false, true",
        "key.serializer, org.apache.kafka.common.serialization.StringSerializer, "
                + "org.apache.kafka.common.serialization.ByteArraySerializer",
        "value.serializer, org.apache.kafka.common.serialization.StringSerializer, "
                + "org.apache.kafka.common.serialization.ByteArraySerializer"
    })
    void aSettingThatBreaksAPromiseIsRefused(String name, String value, String required) {
        assertThatThrownBy(() -> local().property(name, value).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("%s must be %s but was '%s': leave it out", name, required, value);
    }

    @Test
    void aSerializerGivenAsAClassIsCheckedToo() {
        assertThatThrownBy(() -> local().property("value.serializer", StringSerializer.class)
                        .build())
                .hasMessageContaining("value.serializer must be");
    }

    @Test
    void settingsThatSayTheSameAreWelcome() {
        assertThatCode(() -> KafkaPublisher.builder(Map.of(
                                "bootstrap.servers",
                                "localhost:9092",
                                "acks",
                                "-1",
                                "enable.idempotence",
                                true,
                                "key.serializer",
                                ByteArraySerializer.class,
                                "value.serializer",
                                ByteArraySerializer.class.getName()))
                        .build()
                        .close())
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({
        "max.block.ms, 60000, max.block.ms must be at most 5000 but was 60000",
        "delivery.timeout.ms, 120000, delivery.timeout.ms 120000 must be below answerWithin PT9S",
        "metadata.max.idle.ms, 5000, metadata.max.idle.ms must be at least 300000 but was 5000",
        "transactional.id, x, transactional.id must not be set: call transactional(idPrefix)",
        "compression.type, rar, Kafka refuses the settings",
        "max.in.flight.requests.per.connection, 6, Kafka refuses the settings"
    })
    void aSettingThatDoesNotFitIsNamed(String name, String value, String message) {
        assertThatThrownBy(() -> local().property(name, value).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource({
        "partitioner.ignore.keys, true, partitioner.ignore.keys must not be true",
        "partitioner.class, org.apache.kafka.clients.producer.RoundRobinPartitioner, partitioner.class must not be"
    })
    void partitionerThatSpreadsKeysIsRefused(String name, String value, String message) {
        assertThatThrownBy(() -> local().property(name, value).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message)
                .hasMessageContaining("messages of one key would go to several partitions");
    }

    @Test
    void stickyPartitionerIsRefusedByUsOrByTheClientThatHasItNoMore() {
        String sticky = "org.apache.kafka.clients.producer.UniformStickyPartitioner";

        assertThatThrownBy(() -> local().property("partitioner.class", sticky).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(sticky);
    }

    @Test
    void partitionerGivenAsASubclassIsRefusedToo() {
        assertThatThrownBy(() ->
                        local().property("partitioner.class", Rotating.class).build())
                .hasMessageContaining("partitioner.class must not be " + Rotating.class.getName());
        assertThatThrownBy(
                        () -> local().property("partitioner.ignore.keys", true).build())
                .hasMessageContaining("partitioner.ignore.keys must not be true");
    }

    @Test
    void partitionerOfUnknownBehaviourIsAcceptedWithAWarning() {
        try (CapturedLog log = CapturedLog.start()) {
            local().property("partitioner.class", FirstPartition.class).build().close();

            assertThat(log.lines("partitioner.class"))
                    .singleElement()
                    .asString()
                    .contains("WARN")
                    .contains(FirstPartition.class.getName());
        }
    }

    @Test
    void ownPartitionerOfKafkaIsAcceptedWithoutAWarning() {
        try (CapturedLog log = CapturedLog.start()) {
            local().property("partitioner.ignore.keys", "false").build().close();

            assertThat(log.lines("partitioner")).isEmpty();
        }
    }

    /** A partitioner that sends a key now here, now there. */
    public static final class Rotating extends RoundRobinPartitioner {}

    /** A partitioner of which Postrider cannot know what it does. */
    public static final class FirstPartition implements Partitioner {

        @Override
        public int partition(
                String topic, Object key, byte[] keyBytes, Object value, byte[] valueBytes, Cluster cluster) {
            return 0;
        }

        @Override
        public void close() {}

        @Override
        public void configure(Map<String, ?> settings) {}
    }

    @Test
    void theServersNameMustBeChecked() {
        assertThatThrownBy(() -> local().property("ssl.endpoint.identification.algorithm", "")
                        .build())
                .hasMessageContaining("ssl.endpoint.identification.algorithm must not be empty");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kafka:9092",
                "localhost:9092,10.0.0.1:9092",
                "localhost.example.com:9092",
                "127.0.0.1.example.com:9092",
                "[2001:db8::1]:9092"
            })
    void plaintextToAnotherMachineIsRefusedUnlessItIsWrittenDown(String servers) {
        assertThatThrownBy(() -> KafkaPublisher.builder(servers).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("security.protocol is PLAINTEXT")
                .hasMessageContaining("allowPlaintext(true)");
        assertThatThrownBy(() -> KafkaPublisher.builder(servers)
                        .property("security.protocol", "sasl_plaintext")
                        .build())
                .hasMessageContaining("security.protocol is SASL_PLAINTEXT");
        assertThatCode(() -> KafkaPublisher.builder(servers)
                        .allowPlaintext(true)
                        .build()
                        .close())
                .doesNotThrowAnyException();
        assertThatCode(() -> KafkaPublisher.builder(servers)
                        .property("security.protocol", "SSL")
                        .build()
                        .close())
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost:9092", "127.0.0.1:9092,127.1.2.3:9093", "[::1]:9092", "LOCALHOST:1"})
    void plaintextOnThisMachineIsFine(String servers) {
        assertThatCode(() -> KafkaPublisher.builder(servers).build().close()).doesNotThrowAnyException();
    }

    @Test
    void badOptionsAreNamed() {
        assertThatThrownBy(() -> local().topic("{nonsense}")).hasMessageContaining("{nonsense}");
        assertThatThrownBy(() -> local().cloudEvents(URI.create(""))).hasMessage("source must not be empty");
        assertThatThrownBy(() -> local().transactional("a b")).hasMessageContaining("'a b'");
        assertThatThrownBy(() -> local().answerWithin(Duration.ofMillis(999))).hasMessageContaining("PT0.999S");
    }

    @Test
    void theDefaultsLeaveTheRelayTimeToHearAnAnswer() {
        ProducerConfig config = ProducerSettings.checked(servers(), false, ANSWER);

        assertThat(config.getInt("delivery.timeout.ms")).isEqualTo(8_000);
        assertThat(config.getLong("max.block.ms")).isEqualTo(1_000);
        assertThat(config.getString("acks")).isEqualTo("-1");
        assertThat(config.getBoolean("enable.idempotence")).isTrue();
        assertThat(config.getString("compression.type")).isEqualTo("none");
    }

    @Test
    void theUsersSettingsWinOverDefaultsAndReachTheTopicLookup() {
        Map<String, Object> user = servers();
        user.put("linger.ms", 5);
        user.put("sasl.mechanism", "SCRAM-SHA-512");
        user.put("interceptor.classes", "");

        ProducerConfig config = ProducerSettings.checked(user, false, ANSWER);

        assertThat(config.getLong("linger.ms")).isEqualTo(5);
        assertThat(ProducerSettings.admin(config))
                .containsEntry("sasl.mechanism", "SCRAM-SHA-512")
                .containsEntry("bootstrap.servers", "localhost:9092")
                .doesNotContainKeys("linger.ms", "interceptor.classes", "acks");
    }

    private static Map<String, Object> servers() {
        return new HashMap<>(Map.of("bootstrap.servers", "localhost:9092"));
    }

    private static KafkaPublisherBuilder local() {
        return KafkaPublisher.builder("localhost:9092");
    }
}
