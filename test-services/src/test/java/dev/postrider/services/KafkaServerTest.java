package dev.postrider.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

final class KafkaServerTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @BeforeAll
    static void requireKafka() {
        Availability availability = KafkaServer.available();
        Assumptions.assumeTrue(availability.available(), availability::reason);
    }

    @Test
    void aKilledBrokerKeepsItsRecordsAndItsAddress() throws Exception {
        try (KafkaServer server = KafkaServer.start()) {
            String address = server.bootstrapServers();
            create(server, "orders");
            send(address, Map.of(), "orders", "before");

            server.kill();
            server.restart();
            send(address, Map.of(), "orders", "after");

            assertThat(server.bootstrapServers()).isEqualTo(address);
            assertThat(read(server, "orders", 2)).containsExactly("before", "after");
        }
    }

    @Test
    void aFrozenBrokerAnswersOnlyWhenItHasThawed() throws Exception {
        try (KafkaServer server = KafkaServer.start()) {
            create(server, "orders");
            server.freeze();

            assertThatThrownBy(() -> send(server.bootstrapServers(), timeouts(2_000), "orders", "frozen"))
                    .hasMessageContaining("not present in metadata after 2000 ms");

            server.thaw();
            send(server.bootstrapServers(), Map.of(), "orders", "thawed");
            assertThat(read(server, "orders", 1)).containsExactly("thawed");
        }
    }

    @Test
    void anAclForbidsATopicToThePublisherOnly() throws Exception {
        KafkaServer server = KafkaServer.shared();
        create(server, "open");
        create(server, "forbidden");
        forbid(server, "forbidden");

        send(server.saslBootstrapServers(), server.publisherSettings(), "open", "1");
        send(server.bootstrapServers(), Map.of(), "forbidden", "2");

        assertThatThrownBy(() -> send(server.saslBootstrapServers(), server.publisherSettings(), "forbidden", "3"))
                .hasRootCauseInstanceOf(TopicAuthorizationException.class);
        assertThat(read(server, "open", 1)).containsExactly("1");
        assertThat(read(server, "forbidden", 1)).containsExactly("2");
    }

    @Test
    void aMissingTopicIsNotCreatedByASend() {
        KafkaServer server = KafkaServer.shared();

        assertThatThrownBy(() -> send(server.bootstrapServers(), timeouts(1_000), "missing", "1"))
                .hasMessageContaining("not present in metadata");
    }

    @Test
    void aProxyStandsBetweenTheClientAndTheBroker() throws Exception {
        try (TcpProxy proxy = TcpProxy.unconnected();
                KafkaServer server = KafkaServer.start(
                        KafkaOptions.defaults().withAdvertisedPort(proxy.port()).withAutoCreateTopics(true))) {
            proxy.forwardTo(server.port());
            send(server.bootstrapServers(), Map.of(), "created", "through");

            proxy.refuse();
            proxy.cut();

            assertThat(server.bootstrapServers()).endsWith(":" + proxy.port());
            assertThatThrownBy(() -> send("127.0.0.1:" + server.port(), timeouts(1_000), "created", "around"))
                    .hasMessageContaining("ms");
            proxy.accept();
            assertThat(read(server, "created", 1)).containsExactly("through");
        }
    }

    @Test
    void theSharedBrokerCannotBeKilled() {
        KafkaServer server = KafkaServer.shared();

        assertThatThrownBy(server::kill).hasMessage("The shared Kafka must not be killed: start an own one");
    }

    private static Map<String, String> timeouts(int millis) {
        return Map.of(
                "max.block.ms", Integer.toString(millis),
                "linger.ms", "0",
                "request.timeout.ms", Integer.toString(millis),
                "delivery.timeout.ms", Integer.toString(millis));
    }

    private static void create(KafkaServer server, String topic) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", server.bootstrapServers()))) {
            admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get(60, TimeUnit.SECONDS);
        }
    }

    private static void forbid(KafkaServer server, String topic) throws Exception {
        ResourcePattern pattern = new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL);
        AccessControlEntry entry =
                new AccessControlEntry("User:publisher", "*", AclOperation.WRITE, AclPermissionType.DENY);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", server.bootstrapServers()))) {
            admin.createAcls(List.of(new AclBinding(pattern, entry))).all().get(60, TimeUnit.SECONDS);
        }
    }

    private static void send(String servers, Map<String, String> settings, String topic, String value)
            throws ExecutionException, InterruptedException {
        Map<String, Object> config = new HashMap<>(settings);
        config.put("bootstrap.servers", servers);
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
            producer.send(new ProducerRecord<>(topic, value)).get();
        }
    }

    private static List<String> read(KafkaServer server, String topic, int count) {
        TopicPartition partition = new TopicPartition(topic, 0);
        List<String> values = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", server.bootstrapServers()),
                new StringDeserializer(),
                new StringDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = System.nanoTime() + PATIENCE.toNanos();
            while (values.size() < count && System.nanoTime() < end) {
                for (ConsumerRecord<String, String> read : consumer.poll(Duration.ofMillis(200))) {
                    values.add(read.value());
                }
            }
        }
        return values;
    }
}
