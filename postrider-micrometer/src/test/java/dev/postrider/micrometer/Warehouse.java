package dev.postrider.micrometer;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.admin.Decision;
import dev.postrider.inbox.InboxException;
import dev.postrider.inbox.InboxSchema;
import dev.postrider.inbox.JdbcInbox;
import dev.postrider.inbox.JdbcInboxAdmin;
import dev.postrider.inbox.ReceivedMessage;
import dev.postrider.inbox.consumer.ConsumerHealth;
import dev.postrider.jdbc.OutboxSchema;
import dev.postrider.retry.RetryPolicy;
import dev.postrider.saga.LocalSagaDefinition;
import dev.postrider.saga.Saga;
import dev.postrider.saga.SagaAdmin;
import dev.postrider.saga.SagaCodec;
import dev.postrider.saga.SagaEngine;
import dev.postrider.saga.SagaHandle;
import dev.postrider.saga.SagaSchema;
import dev.postrider.saga.SagaStatus;
import dev.postrider.services.Availability;
import dev.postrider.services.Database;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Assumptions;

/** An inbox and sagas with metrics on a real database, where things go wrong as they are told. */
final class Warehouse implements AutoCloseable {

    static final String CONSUMER = "billing";
    static final String SAGA = "place-order";

    private static final RetryPolicy ONCE = RetryPolicy.exponential(Duration.ofMillis(1), Duration.ofMillis(2), 1);

    private final Database database;
    private final HikariDataSource pool;
    private final InboxMetrics inboxMetrics;
    private final SagaMetrics sagaMetrics;
    private final JdbcInbox inbox;
    private final JdbcInboxAdmin admin;
    private final LocalSagaDefinition<String> saga = saga();
    private final SagaEngine engine;
    private final AtomicReference<ConsumerHealth> health =
            new AtomicReference<>(health(ConsumerHealth.State.CONNECTING, OptionalLong.empty()));

    Warehouse(Database.Kind kind, MeterRegistry registry) {
        Availability availability = Database.available(kind);
        Assumptions.assumeTrue(availability.available(), availability::reason);
        this.database = Database.shared(kind).freshDatabase();
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(4);
        config.setMinimumIdle(0);
        this.pool = new HikariDataSource(config);
        OutboxSchema.of(pool).migrate();
        InboxSchema.of(pool).migrate();
        SagaSchema.of(pool).migrate();
        this.admin = JdbcInboxAdmin.of(pool);
        this.inboxMetrics = InboxMetrics.builder(registry).inbox("shop").build();
        this.inbox = JdbcInbox.builder(pool).parkAfter(1).listener(inboxMetrics).build();
        inboxMetrics.watch(admin, CONSUMER).watch(CONSUMER, "kafka", health::get);
        this.sagaMetrics = SagaMetrics.builder(registry).sagas("shop").build();
        this.engine =
                SagaEngine.builder(pool).register(saga).listener(sagaMetrics).build();
        sagaMetrics.watch(SagaAdmin.of(pool), SAGA);
    }

    private static LocalSagaDefinition<String> saga() {
        return Saga.define(SAGA, String.class)
                .codec(new PlainText())
                .step(
                        "reserve",
                        step -> step.action((context, transaction) -> context)
                                .compensate((context, transaction) -> {
                                    throw new IllegalStateException("the stock does not answer");
                                })
                                .compensationRetry(ONCE))
                .step(
                        "charge",
                        step -> step.action((context, transaction) -> {
                                    throw new IllegalStateException("declined");
                                })
                                .compensate((context, transaction) -> {})
                                .retry(ONCE))
                .build();
    }

    /** Handles a message twice, parks two, lets one wait behind them, releases one, and gets a saga stuck. */
    void everythingHappens() {
        receive("m-1", "1", false);
        receive("m-1", "1", false);
        receive("m-2", "2", true);
        receive("m-3", "2", false);
        receive("m-4", "4", true);
        admin.release(CONSUMER, List.of("m-4"), new Decision("ada", "mended"));
        health.set(health(ConsumerHealth.State.RUNNING, OptionalLong.of(42)));
        SagaHandle<String> handle = engine.saga(saga).start("order-1", "");
        Shop.await(() -> {
            engine.turn();
            return handle.result().status() == SagaStatus.STUCK;
        });
        sample();
    }

    /** Starts a saga that no engine has taken up for ten minutes. */
    void neglectASaga() {
        engine.saga(saga).start("order-2", "");
        execute("update saga_instance set wake_at = wake_at - interval '10' minute,"
                + " updated_at = updated_at - interval '10' minute where business_key = 'order-2'");
    }

    void sample() {
        inboxMetrics.sample();
        sagaMetrics.sample();
    }

    void loseTheTables() {
        execute("drop table inbox_failure");
        execute("drop table saga_instance");
    }

    private void receive(String id, String key, boolean fails) {
        ReceivedMessage message = ReceivedMessage.from("orders")
                .id(id)
                .key(key)
                .payload(new byte[] {1})
                .build();
        try {
            inbox.process(message, CONSUMER, transaction -> {
                if (fails) {
                    throw new IllegalStateException("no");
                }
                return id;
            });
        } catch (InboxException e) {
            if (!fails) {
                throw e;
            }
        }
    }

    private void execute(String sql) {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    private static ConsumerHealth health(ConsumerHealth.State state, OptionalLong lag) {
        return new ConsumerHealth(state, true, 3, List.of("orders-0@7"), Duration.ofSeconds(5), lag, null, 0);
    }

    @Override
    public void close() {
        engine.close();
        inboxMetrics.close();
        sagaMetrics.close();
        pool.close();
        database.close();
    }

    /** A context that is its own text. */
    private static final class PlainText implements SagaCodec<String> {

        @Override
        public String name() {
            return "text";
        }

        @Override
        public String encode(String context) {
            return context;
        }

        @Override
        public String decode(String text) {
            return text;
        }
    }
}
