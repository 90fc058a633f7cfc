package dev.postrider.verification.limits;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.OutboxMessage;
import dev.postrider.jdbc.JdbcOutbox;
import dev.postrider.jdbc.JdbcOutboxStore;
import dev.postrider.jdbc.OutboxSchema;
import dev.postrider.relay.Relay;
import dev.postrider.services.Database;
import dev.postrider.services.TcpProxy;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.PublishAnswers;
import dev.postrider.spi.PublishResult;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * An outbox in a database of its own, a relay with default settings behind a network that can be disturbed, and a
 * broker that remembers what arrived.
 */
final class Site implements AutoCloseable {

    /** How long a message may take before it counts as stuck. */
    static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final Duration BROKER = Duration.ofMillis(5);

    private final Database database;
    private final TcpProxy network;
    private final HikariDataSource near;
    private final HikariDataSource far;
    private final JdbcOutbox outbox = JdbcOutbox.create();
    private final Map<String, Long> arrivals = new ConcurrentHashMap<>();
    private final List<String> order = new CopyOnWriteArrayList<>();
    private final ExecutorService broker = Executors.newSingleThreadExecutor();
    private final AtomicInteger unreachable = new AtomicInteger();
    private int fresh;
    private @Nullable Relay relay;

    Site(Database server) {
        this.database = server.freshDatabase();
        this.network = TcpProxy.to(database.port());
        this.near = pool(database.jdbcUrl(), 20);
        String url = database.jdbcUrl().replace(":" + database.port() + "/", ":" + network.port() + "/");
        this.far = pool(url, 8);
        OutboxSchema.of(near).migrate();
    }

    private HikariDataSource pool(String url, int size) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(database.user());
        config.setPassword(database.password());
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(0);
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }

    TcpProxy network() {
        return network;
    }

    Connection connect() throws SQLException {
        return near.getConnection();
    }

    void execute(String... statements) throws SQLException {
        try (Connection connection = connect()) {
            execute(connection, statements);
        }
    }

    private static void execute(Connection connection, String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    void fill(Rows rows, long count) throws SQLException {
        try (Connection connection = connect()) {
            fill(connection, rows, count);
        }
    }

    void fill(Connection connection, Rows rows, long count) throws SQLException {
        if (database.kind() == Database.Kind.MYSQL) {
            execute(connection, "set session cte_max_recursion_depth = " + (count + 1));
        }
        execute(connection, rows.insert(database.kind(), count));
    }

    /** What these connections insert gets sequences in such steps, as in a cluster of several writable servers. */
    void countBy(int step, Connection... producers) throws SQLException {
        if (database.kind() == Database.Kind.POSTGRES_18) {
            execute("alter table outbox_message alter column seq set increment by " + step);
            return;
        }
        for (Connection producer : producers) {
            execute(producer, "set session auto_increment_increment = " + step);
        }
    }

    /** Updates statistics as the server would after a while. */
    void analyze() throws SQLException {
        execute(
                database.kind() == Database.Kind.POSTGRES_18
                        ? "vacuum analyze outbox_message"
                        : "analyze table outbox_message");
    }

    /** The next answers for this topic are that it cannot be reached. */
    void answerUnavailable(int times) {
        unreachable.set(times);
    }

    void start() {
        relay = Relay.builder(JdbcOutboxStore.builder(far).build(), this::publish)
                .name("limits")
                .build()
                .start();
    }

    private void publish(List<ClaimedMessage> wave, PublishAnswers answers) {
        CompletableFuture.delayedExecutor(BROKER.toMillis(), TimeUnit.MILLISECONDS, broker)
                .execute(() -> wave.forEach(claimed -> answers.answer(claimed, answer(claimed))));
    }

    private PublishResult answer(ClaimedMessage claimed) {
        OutboxMessage message = claimed.message();
        if (message.topic().equals("down")
                || (message.topic().equals("delayed") && unreachable.getAndDecrement() > 0)) {
            return PublishResult.unavailable("away");
        }
        String payload = new String(message.payload(), StandardCharsets.UTF_8);
        if (arrivals.putIfAbsent(payload, System.nanoTime()) == null
                && message.topic().equals("ordered")) {
            order.add(payload);
        }
        return PublishResult.acked();
    }

    void enqueue(Connection connection, OutboxMessage.Builder message) throws SQLException {
        outbox.enqueue(connection, message.build());
    }

    /** Enqueues messages in one transaction and wakes the relay, as an application in the same process does. */
    void commit(OutboxMessage.Builder... messages) throws SQLException {
        try (Connection connection = connect()) {
            connection.setAutoCommit(false);
            for (OutboxMessage.Builder message : messages) {
                enqueue(connection, message);
            }
            connection.commit();
        }
        Objects.requireNonNull(relay, "relay").wake();
    }

    /** Returns how long a fresh message of an unrelated key takes from its commit to the broker. */
    Duration deliverFresh() throws SQLException, InterruptedException {
        String payload = "fresh-" + ++fresh;
        commit(OutboxMessage.to("live", "x").key(payload).payload(payload));
        long begin = System.nanoTime();
        return await(payload) ? Duration.ofNanos(Objects.requireNonNull(arrivals.get(payload)) - begin) : PATIENCE;
    }

    /** Waits until a message with this payload arrived. */
    boolean await(String payload) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!arrivals.containsKey(payload) && end - System.nanoTime() > 0) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
        return arrivals.containsKey(payload);
    }

    /** Returns the payloads of the topic {@code ordered} in the order in which they arrived first. */
    List<String> order() {
        return List.copyOf(order);
    }

    @Override
    public void close() {
        network.delayAnswers(Duration.ZERO);
        network.heal();
        if (relay != null) {
            relay.close();
        }
        broker.shutdownNow();
        far.close();
        near.close();
        network.close();
        database.close();
    }
}
