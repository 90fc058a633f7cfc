package dev.postrider.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.admin.BlockedKey;
import dev.postrider.admin.Decision;
import dev.postrider.admin.StoredMessage;
import dev.postrider.jdbc.JdbcOutbox;
import dev.postrider.jdbc.JdbcOutboxStore;
import dev.postrider.jdbc.OutboxSchema;
import dev.postrider.jdbc.operator.JdbcOutboxAdmin;
import dev.postrider.relay.KeyPolicy;
import dev.postrider.relay.Relay;
import dev.postrider.retry.RetryPolicy;
import dev.postrider.services.Database;
import dev.postrider.services.Database.Kind;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.common.acl.AclOperation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A real relay between a real outbox and a real broker. */
final class KafkaRelayTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int PER_TOPIC = 20;

    private final Database database = Database.shared(Kind.H2).freshDatabase();
    private final JdbcOutboxAdmin admin = JdbcOutboxAdmin.of(database.dataSource());
    private final Cluster cluster = Cluster.shared();

    KafkaRelayTest() {
        OutboxSchema.of(database.dataSource()).migrate();
    }

    @AfterEach
    void close() {
        cluster.close();
        database.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("R0.2")
    @Tag("B1")
    void eightTopicsDrainWhileOneIsMissingAndOneForbidden(boolean transactional) throws SQLException {
        List<String> good =
                IntStream.range(0, 8).mapToObj(i -> cluster.freshTopic()).toList();
        String missing = Cluster.freshName();
        String forbidden = cluster.freshTopic();
        cluster.forbid(forbidden, AclOperation.WRITE);
        List<String> topics = new ArrayList<>(good);
        topics.addAll(List.of(missing, forbidden));
        List<OutboxMessage> messages = new ArrayList<>();
        for (int i = 0; i < PER_TOPIC; i++) {
            for (String topic : topics) {
                messages.add(message(topic, "key-" + i % 5, "number " + i));
            }
        }
        enqueue(messages);

        KafkaPublisherBuilder builder = cluster.namedPublisher();
        try (KafkaPublisher publisher = (transactional ? builder.transactional(Cluster.freshName()) : builder).build();
                Relay relay = relay(publisher, KeyPolicy.BLOCK_KEY)) {
            await().atMost(PATIENCE).until(() -> list(MessageStatus.DELIVERED).size() == 8 * PER_TOPIC);

            good.forEach(this::awaitAllPayloads);
            assertThat(relay.health().alive()).isTrue();

            cluster.create(missing, Map.of());
            await().atMost(PATIENCE).until(() -> list(MessageStatus.DELIVERED).size() == 9 * PER_TOPIC);
        }

        awaitAllPayloads(missing);
        assertThat(payloads(forbidden)).isEmpty();
        assertThat(list(MessageStatus.DELIVERED)).allMatch(stored -> stored.attempts() == 1);
        assertThat(list(MessageStatus.PENDING))
                .hasSize(PER_TOPIC)
                .allMatch(stored -> stored.message().topic().equals(forbidden) && stored.attempts() == 0);
        assertThat(list(MessageStatus.DEAD)).isEmpty();
    }

    @Test
    @Tag("B1")
    @Tag("R3.8")
    void aMessageThatIsTooLargeBlocksItsKeyOnly() throws SQLException {
        String topic = narrowTopic();
        OutboxMessage tooLarge = message(topic, "a", "x".repeat(30_000));
        enqueue(message(topic, "a", "a1"), message(topic, "b", "b1"), tooLarge);
        enqueue(message(topic, "a", "a3"), message(topic, "b", "b2"), message(topic, "a", "a4"));

        try (KafkaPublisher publisher = cluster.publisher().build();
                Relay relay = relay(publisher, KeyPolicy.BLOCK_KEY)) {
            await().atMost(PATIENCE)
                    .until(() -> list(MessageStatus.DELIVERED).size() == 3
                            && list(MessageStatus.DEAD).size() == 1);

            assertThat(list(MessageStatus.DEAD).get(0).error().orElseThrow()).contains("above max.message.bytes");
            assertThat(admin.blockedKeys(10)).extracting(BlockedKey::key).containsExactly("a");
            assertThat(payloads(topic)).containsExactlyInAnyOrder("a1", "b1", "b2");

            admin.discard(List.of(tooLarge.id()), new Decision("operator", "too large"));
            relay.wake();
            await().atMost(PATIENCE).until(() -> list(MessageStatus.DELIVERED).size() == 5);
        }

        assertThat(payloads(topic).stream().filter(payload -> payload.startsWith("a")))
                .containsExactly("a1", "a3", "a4");
        assertThat(list(MessageStatus.DELIVERED)).allMatch(stored -> stored.attempts() == 1);
    }

    @Test
    void aMessageThatIsTooLargeIsPassedWhenTheKeyMayGoOn() throws SQLException {
        String topic = narrowTopic();
        enqueue(message(topic, "a", "a1"), message(topic, "a", "x".repeat(30_000)), message(topic, "a", "a3"));
        enqueue(message(topic, "b", "b1"), message(topic, "a", "a4"));

        try (KafkaPublisher publisher = cluster.publisher().build();
                Relay relay = relay(publisher, KeyPolicy.PARK_AND_CONTINUE)) {
            await().atMost(PATIENCE)
                    .until(() -> list(MessageStatus.DELIVERED).size() == 4
                            && list(MessageStatus.DEAD).size() == 1);
            assertThat(relay.health().alive()).isTrue();
        }

        assertThat(payloads(topic)).containsExactlyInAnyOrder("a1", "a3", "a4", "b1");
    }

    private Relay relay(KafkaPublisher publisher, KeyPolicy policy) {
        return Relay.builder(JdbcOutboxStore.builder(database.dataSource()).build(), publisher)
                .keyPolicy(policy)
                .retry(RetryPolicy.exponential(Duration.ofMillis(100), Duration.ofMillis(500), RetryPolicy.FOREVER))
                .build()
                .start();
    }

    private String narrowTopic() {
        String topic = Cluster.freshName();
        cluster.create(topic, Map.of("max.message.bytes", "20000"));
        return topic;
    }

    private void enqueue(OutboxMessage... messages) throws SQLException {
        enqueue(Arrays.asList(messages));
    }

    private void enqueue(List<OutboxMessage> messages) throws SQLException {
        JdbcOutbox outbox = JdbcOutbox.create();
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            for (OutboxMessage message : messages) {
                outbox.enqueue(connection, message);
            }
            connection.commit();
        }
    }

    private List<StoredMessage> list(MessageStatus status) {
        return admin.list(status, 0, 10_000);
    }

    private void awaitAllPayloads(String topic) {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(payloads(topic)).hasSize(PER_TOPIC));
    }

    private List<String> payloads(String topic) {
        List<String> payloads = new ArrayList<>();
        cluster.readCommitted(topic).forEach(read -> payloads.add(new String(read.value(), StandardCharsets.UTF_8)));
        return Collections.unmodifiableList(payloads);
    }

    private static OutboxMessage message(String topic, String key, String payload) {
        return OutboxMessage.to(topic, "Test").key(key).payload(payload).build();
    }
}
