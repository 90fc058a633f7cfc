package dev.postrider.micrometer;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.OutboxMessage;
import dev.postrider.admin.Retention;
import dev.postrider.alert.LogAlertSender;
import dev.postrider.jdbc.JdbcOutbox;
import dev.postrider.jdbc.JdbcOutboxStore;
import dev.postrider.jdbc.OutboxSchema;
import dev.postrider.jdbc.operator.JdbcOutboxAdmin;
import dev.postrider.jdbc.operator.JdbcRetention;
import dev.postrider.monitor.AlertMonitor;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RetentionJob;
import dev.postrider.safety.SafetyNet;
import dev.postrider.services.Availability;
import dev.postrider.services.Database;
import dev.postrider.spi.PublishResult;
import dev.postrider.testkit.FlakyPublisher;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;

/** An outbox on a real database, a relay with metrics, and a broker that misbehaves as it is told. */
final class Shop implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final MeterRegistry registry;
    private final Database database;
    private final HikariDataSource pool;
    private final FlakyPublisher broker = new FlakyPublisher();
    private final AlertMonitor monitor;
    private final SafetyNet net =
            SafetyNet.builder().alert(new LogAlertSender()).build();
    private final PostriderMetrics metrics;
    private final JdbcOutbox outbox;
    private final RetentionJob retention;
    private final Relay relay;

    Shop(Database.Kind kind, MeterRegistry registry) {
        Availability availability = Database.available(kind);
        Assumptions.assumeTrue(availability.available(), availability::reason);
        this.registry = registry;
        this.database = Database.shared(kind).freshDatabase();
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(8);
        config.setMinimumIdle(0);
        this.pool = new HikariDataSource(config);
        OutboxSchema.of(pool).migrate();
        JdbcOutboxAdmin admin = JdbcOutboxAdmin.of(pool);
        this.monitor = AlertMonitor.builder(admin::stats)
                .sender(new LogAlertSender())
                .build()
                .start();
        this.metrics = PostriderMetrics.builder(registry)
                .outbox("shop")
                .stats(admin::stats)
                .build();
        this.outbox = JdbcOutbox.builder().listener(metrics).build();
        this.retention = RetentionJob.builder(JdbcRetention.of(pool))
                .policy(Retention.forEver().withDelivered(Duration.ZERO))
                .interval(Duration.ofMillis(50), Duration.ofMillis(50))
                .build();
        this.relay = Relay.builder(JdbcOutboxStore.builder(pool).build(), metrics.timed("test", broker))
                .listener(metrics)
                .safetyNet(net)
                .pollInterval(Duration.ofMillis(50))
                .build();
        metrics.watch(relay::health).watch(monitor).watch(net).watch(retention);
    }

    PostriderMetrics metrics() {
        return metrics;
    }

    Relay relay() {
        return relay;
    }

    /**
     * Lets one message be delivered, one fail once, one die, one be damaged and one topic be out of reach, and what was
     * delivered be removed.
     */
    void everythingHappens() {
        broker.always(message -> message.type().equals("Refused"), PublishResult.rejected("no"));
        broker.always(message -> message.topic().equals("away"), PublishResult.unavailable("away"));
        enqueue(message("orders", "Fine", "1"), message("orders", "Refused", "2"), message("away", "Fine", "3"));
        enqueue(message("orders", "Damaged", "4"));
        execute("update outbox_message set type = 'Damaged!' where type = 'Damaged'");
        broker.failNext(1);
        enqueue(message("orders", "Fine", "5"));
        broker.answerTwice(1);
        relay.start();
        await(() -> settled("delivered") == 2
                && settled("dead") == 2
                && !relay.health().closedTopics().isEmpty());
        retention.start();
        await(() -> retention.total().delivered() == 2 && polls("empty") > 0);
        metrics.stored("Fine", 3);
        // What only other relays or a broken database cause.
        metrics.claimsLost(1);
        metrics.deadRefused(List.of(), new IllegalStateException("told"));
        metrics.claimsRecovered(2);
        metrics.turnFailed("fetch", new IllegalStateException("told"));
        metrics.sample();
    }

    double settled(String outcome) {
        return registry.find(MeterNames.SETTLED).tag("outcome", outcome).counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }

    long polls(String result) {
        return registry.get(MeterNames.POLL).tag("result", result).timer().count();
    }

    void enqueue(OutboxMessage... messages) {
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            outbox.enqueueAll(connection, List.of(messages));
            connection.commit();
        } catch (SQLException e) {
            throw new IllegalStateException("Could not enqueue", e);
        }
    }

    void execute(String sql) {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    static OutboxMessage message(String topic, String type, String key) {
        return OutboxMessage.to(topic, type).key(key).payload("{}").build();
    }

    static void await(Callable<Boolean> condition) {
        Awaitility.await().atMost(PATIENCE).pollInterval(Duration.ofMillis(50)).until(condition);
    }

    @Override
    public void close() {
        relay.close();
        retention.close();
        net.close();
        metrics.close();
        monitor.close();
        pool.close();
        database.close();
    }
}
