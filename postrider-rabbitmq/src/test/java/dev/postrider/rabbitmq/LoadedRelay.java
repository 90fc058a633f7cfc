package dev.postrider.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.admin.Decision;
import dev.postrider.admin.StoredMessage;
import dev.postrider.jdbc.JdbcOutbox;
import dev.postrider.jdbc.JdbcOutboxStore;
import dev.postrider.jdbc.OutboxSchema;
import dev.postrider.jdbc.operator.JdbcOutboxAdmin;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayListener;
import dev.postrider.retry.RetryPolicy;
import dev.postrider.services.Availability;
import dev.postrider.services.Database;
import dev.postrider.services.Database.Kind;
import dev.postrider.services.TcpProxy;
import dev.postrider.spi.TopicName;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * A relay on PostgreSQL that publishes to RabbitMQ while a producer keeps enqueuing, and the comparison of what the
 * table says with what the queue got.
 */
final class LoadedRelay implements AutoCloseable {

    static final Duration PATIENCE = Duration.ofMinutes(3);
    static final Duration CONFIRM_TIMEOUT = Duration.ofSeconds(2);

    private static final int KEYS = 20;
    private static final long PAUSE = Duration.ofMillis(50).toNanos();
    private static final int PAGE = 10_000;

    private final String topic;
    private final Database database;
    private final HikariDataSource pool;
    private final JdbcOutbox outbox = JdbcOutbox.create();
    private final JdbcOutboxAdmin admin;
    private final RabbitPublisher publisher;
    private final Relay relay;
    private final Thread producer = new Thread(this::produce, "producer");
    private final List<String> closedGates = new CopyOnWriteArrayList<>();
    private volatile int rounds;
    private volatile boolean stopped;

    private LoadedRelay(ConnectionFactory factory, String topic) {
        this.topic = topic;
        Availability availability = Database.available(Kind.POSTGRES_18);
        assumeTrue(availability.available(), availability.reason());
        database = Database.shared(Kind.POSTGRES_18).freshDatabase();
        pool = pool(database);
        OutboxSchema.of(pool).create();
        admin = JdbcOutboxAdmin.of(pool);
        publisher =
                RabbitPublisher.builder(factory).confirmTimeout(CONFIRM_TIMEOUT).build();
        relay = Relay.builder(JdbcOutboxStore.builder(pool).build(), publisher)
                .retry(RetryPolicy.exponential(Duration.ofMillis(100), Duration.ofMillis(500), RetryPolicy.FOREVER))
                .listener(new RelayListener() {
                    @Override
                    public void gateClosed(TopicName name, String error) {
                        closedGates.add(error);
                    }
                })
                .build();
    }

    /** Starts to enqueue and to deliver, and returns when some messages have arrived. */
    static LoadedRelay start(Broker broker, String topic) {
        return start(broker.factory(), topic);
    }

    /** Starts as above, with a network between the relay and the broker that can be disturbed. */
    static LoadedRelay start(Broker broker, String topic, TcpProxy network) {
        ConnectionFactory factory = broker.factory().clone();
        network.forwardTo(factory.getPort());
        factory.setHost("localhost");
        factory.setPort(network.port());
        return start(factory, topic);
    }

    private static LoadedRelay start(ConnectionFactory factory, String topic) {
        LoadedRelay running = new LoadedRelay(factory, topic);
        running.relay.start();
        running.producer.start();
        running.awaitMoreDelivered();
        return running;
    }

    private static HikariDataSource pool(Database database) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl());
        config.setUsername(database.user());
        config.setPassword(database.password());
        config.setMaximumPoolSize(8);
        return new HikariDataSource(config);
    }

    private void produce() {
        while (!stopped) {
            try (Connection connection = pool.getConnection()) {
                connection.setAutoCommit(false);
                int round = rounds;
                List<OutboxMessage> messages = new ArrayList<>();
                for (int key = 0; key < KEYS; key++) {
                    messages.add(OutboxMessage.to(topic, "numbered")
                            .key("key-" + key)
                            .contentType("text/plain")
                            .payload(payload("key-" + key, round))
                            .build());
                }
                outbox.enqueueAll(connection, messages);
                connection.commit();
                rounds = round + 1;
            } catch (SQLException e) {
                throw new IllegalStateException("Could not enqueue", e);
            }
            LockSupport.parkNanos(PAUSE);
        }
    }

    private static byte[] payload(String key, int number) {
        return "%s %d \u0000 ünïcode".formatted(key, number).getBytes(StandardCharsets.UTF_8);
    }

    /** Waits until messages are on their way whose confirms are missing. */
    void awaitUnconfirmed() {
        await().atMost(PATIENCE).until(() -> relay.health().inFlight() > 0);
    }

    /** Waits until messages are delivered that were not even enqueued before. */
    void awaitMoreDelivered() {
        int now = rounds;
        await().atMost(PATIENCE).until(() -> rounds > now + 2);
        int fresh = now * KEYS;
        await().atMost(PATIENCE).until(() -> !delivered(fresh).isEmpty());
    }

    private List<StoredMessage> delivered(long after) {
        return admin.list(MessageStatus.DELIVERED, after, 1);
    }

    void awaitClosedGate(String reason) {
        int before = closedGates.size();
        await().atMost(PATIENCE)
                .until(() -> closedGates.subList(before, closedGates.size()).stream()
                        .anyMatch(error -> error.contains(reason)));
    }

    List<StoredMessage> dead() {
        return admin.list(MessageStatus.DEAD, 0, PAGE);
    }

    void awaitDead() {
        await().atMost(PATIENCE).until(() -> !dead().isEmpty());
    }

    /** Stops enqueuing and waits until every message is delivered, bringing the dead back as an operator would. */
    void finish() {
        stopped = true;
        join(producer);
        await().atMost(PATIENCE).until(() -> {
            admin.requeue(
                    dead().stream().map(each -> each.message().id()).toList(),
                    new Decision("operator", "the broker is back"));
            return all(MessageStatus.DELIVERED).size() == rounds * KEYS;
        });
    }

    List<StoredMessage> all(MessageStatus status) {
        List<StoredMessage> all = new ArrayList<>();
        List<StoredMessage> page = admin.list(status, 0, PAGE);
        while (!page.isEmpty()) {
            all.addAll(page);
            page = admin.list(status, page.get(page.size() - 1).seq(), PAGE);
        }
        return all;
    }

    /** Compares the rows with what arrived: nothing lost, nothing changed, every key in order, no attempt burnt. */
    void audit(String what, List<GetResponse> arrived) {
        Map<String, byte[]> bodies = new HashMap<>();
        Map<String, Integer> next = new HashMap<>();
        Set<String> reordered = new HashSet<>();
        for (GetResponse each : arrived) {
            if (bodies.put(each.getProps().getMessageId(), each.getBody()) == null) {
                String[] parts = new String(each.getBody(), StandardCharsets.UTF_8).split(" ", -1);
                int number = Integer.parseInt(parts[1]);
                if (next.merge(parts[0], 1, Integer::sum) - 1 != number) {
                    reordered.add(parts[0] + " " + number);
                }
            }
        }
        List<StoredMessage> delivered = all(MessageStatus.DELIVERED);
        System.out.printf(
                "%s: %,d delivered, %,d arrived, %,d duplicates, gate closed %d times%n",
                what, delivered.size(), arrived.size(), arrived.size() - bodies.size(), closedGates.size());
        assertThat(delivered)
                .hasSize(rounds * KEYS)
                .allSatisfy(row -> assertThat(bodies.get(row.message().id().toString()))
                        .as("delivered and never arrived, or changed")
                        .isEqualTo(row.message().payload()));
        assertThat(bodies).hasSize(delivered.size());
        assertThat(reordered).as("out of the order of their key").isEmpty();
    }

    void assertNoAttemptBurnt() {
        assertThat(all(MessageStatus.DELIVERED).stream().collect(Collectors.groupingBy(StoredMessage::attempts)))
                .as("attempts of the messages")
                .containsOnlyKeys(1);
    }

    @Override
    public void close() {
        stopped = true;
        join(producer);
        relay.close();
        publisher.close();
        pool.close();
        database.close();
    }

    private static void join(Thread thread) {
        try {
            thread.join(PATIENCE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted", e);
        }
    }
}
