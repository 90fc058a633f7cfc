package dev.postrider.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.OutboxException;
import dev.postrider.OutboxMessage;
import dev.postrider.database.TableNames;
import dev.postrider.database.Transactions;
import dev.postrider.jdbc.postgres.PostgresWakeUp;
import dev.postrider.relay.Relay;
import dev.postrider.services.Database;
import dev.postrider.services.Database.Kind;
import dev.postrider.services.SingleConnection;
import dev.postrider.services.TcpProxy;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Shards;
import dev.postrider.spi.TopicFilter;
import dev.postrider.testkit.RecordingPublisher;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A fail-over that sends no RST leaves connections that never answer again. */
final class SilentConnectionTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final List<SeqRange> HOLES = List.of(new SeqRange(0, 10));

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL"})
    void aCallOnASilentConnectionFailsAndTheNextOneGetsAnotherConnection(Kind kind) throws Exception {
        try (Fixture fixture = Fixture.create(Kinds.require(kind));
                TcpProxy proxy = TcpProxy.to(fixture.database().port());
                HikariDataSource pool = pool(fixture.database(), proxy)) {
            AtomicBoolean silence = new AtomicBoolean();
            JdbcOutboxStore store = store(silencing(pool, proxy, silence));
            store.appeared(Shards.ALL, TopicFilter.ALL, HOLES);
            silence.set(true);

            CompletableFuture<?> call = async(() -> store.appeared(Shards.ALL, TopicFilter.ALL, HOLES));

            assertThatThrownBy(() -> call.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .cause()
                    .isInstanceOf(OutboxException.class);
            assertThat(store.appeared(Shards.ALL, TopicFilter.ALL, HOLES)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL"})
    void aRelayDeliversAfterItsConnectionsWentSilent(Kind kind) throws Exception {
        try (Fixture fixture = Fixture.create(Kinds.require(kind));
                TcpProxy proxy = TcpProxy.to(fixture.database().port());
                HikariDataSource pool = pool(fixture.database(), proxy);
                RecordingPublisher publisher = new RecordingPublisher()) {
            AtomicBoolean silence = new AtomicBoolean();
            Relay relay = Relay.builder(store(silencing(pool, proxy, silence)), publisher)
                    .build();
            // Closed beside the test: closing a relay that hangs would hang, too.
            try (AutoCloseable closing = () -> async(relay::close).get(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                assertThat(closing).isNotNull();
                relay.start();
                enqueue(fixture.producers());
                Awaitility.await()
                        .atMost(PATIENCE)
                        .until(() -> publisher.received().size() == 1);

                silence.set(true);
                Awaitility.await().atMost(PATIENCE).until(() -> !silence.get());
                enqueue(fixture.producers());

                Awaitility.await()
                        .atMost(PATIENCE)
                        .until(() -> publisher.received().size() >= 2);
            }
        }
    }

    @Test
    void aSignalOnASilentConnectionIsGivenUp() throws Exception {
        try (Fixture fixture = Fixture.create(Kinds.require(Kind.POSTGRES_18));
                TcpProxy proxy = TcpProxy.to(fixture.database().port());
                HikariDataSource pool = pool(fixture.database(), proxy);
                PostgresWakeUp relay = PostgresWakeUp.of(fixture.pool())) {
            AtomicBoolean silence = new AtomicBoolean(true);
            PostgresWakeUp sender = PostgresWakeUp.of(silencing(pool, proxy, silence));

            async(sender::signal).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            relay.await(Duration.ofMillis(1));
            sender.signal();

            assertThat(relay.await(PATIENCE)).isTrue();
        }
    }

    @Test
    void aListenerNoticesThatItsConnectionIsSilent() throws Exception {
        try (Fixture fixture = Fixture.create(Kinds.require(Kind.POSTGRES_18));
                TcpProxy proxy = TcpProxy.to(fixture.database().port());
                HikariDataSource pool = pool(fixture.database(), proxy);
                PostgresWakeUp sender = PostgresWakeUp.of(fixture.pool())) {
            PostgresWakeUp relay = PostgresWakeUp.of(pool);
            assertThat(relay.await(PATIENCE)).as("connected").isTrue();
            proxy.silence();

            Awaitility.await().atMost(PATIENCE).until(() -> {
                sender.signal();
                return relay.await(Duration.ofMillis(200));
            });

            proxy.silence();
            async(relay::close).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theNetworkTimeoutOfAConnectionIsRestored(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind));
                Connection only = fixture.database().dataSource().getConnection()) {
            only.setNetworkTimeout(Runnable::run, 77_000);
            int before = only.getNetworkTimeout();
            Transactions transactions =
                    OutboxDialect.transactions(new SingleConnection(only), TableNames.defaults(), 10);

            int inside = transactions.autoCommitted(
                    "look", session -> session.connection().getNetworkTimeout());
            assertThatThrownBy(() -> transactions.transacted("fail", session -> session.update("no sql")))
                    .isInstanceOf(OutboxException.class);

            assertThat(inside).isEqualTo(kind == Kind.H2 ? before : 12_000);
            assertThat(only.getNetworkTimeout()).isEqualTo(before);
        }
    }

    @Test
    void aShorterNetworkTimeoutOfThePoolIsKept() throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(Kind.POSTGRES_18));
                Connection only = fixture.database().dataSource().getConnection()) {
            only.setNetworkTimeout(Runnable::run, 5_000);

            int inside = OutboxDialect.transactions(new SingleConnection(only), TableNames.defaults(), 10)
                    .autoCommitted("look", session -> session.connection().getNetworkTimeout());

            assertThat(inside).isEqualTo(5_000);
        }
    }

    private static JdbcOutboxStore store(DataSource dataSource) {
        return JdbcOutboxStore.builder(dataSource)
                .statementTimeout(Duration.ofSeconds(1))
                .build();
    }

    private static void enqueue(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            JdbcOutbox.create()
                    .enqueue(
                            connection,
                            OutboxMessage.to("orders", "OrderPlaced").build());
            connection.commit();
        }
    }

    private static CompletableFuture<Void> async(Runnable task) {
        return CompletableFuture.runAsync(task, command -> {
            Thread thread = new Thread(command, "silent-connection");
            thread.setDaemon(true);
            thread.start();
        });
    }

    /** Silences all connections, once, while the one that was just borrowed is in use. */
    private static DataSource silencing(DataSource pool, TcpProxy proxy, AtomicBoolean silence) {
        return (DataSource) Proxy.newProxyInstance(
                SilentConnectionTest.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (self, method, arguments) -> {
                    @Nullable Object result;
                    try {
                        result = method.invoke(pool, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause() == null ? e : e.getCause();
                    }
                    if (method.getName().equals("getConnection") && silence.compareAndSet(true, false)) {
                        proxy.silence();
                    }
                    return result;
                });
    }

    private static HikariDataSource pool(Database database, TcpProxy proxy) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl().replace(":" + database.port() + "/", ":" + proxy.port() + "/"));
        config.setUsername(database.user());
        config.setPassword(database.password());
        config.setMaximumPoolSize(4);
        config.setMinimumIdle(0);
        // A connection that is being made when the silence begins never comes: this bounds its login, too.
        config.setConnectionTimeout(5_000);
        if (config.getJdbcUrl().startsWith("jdbc:mysql:")) {
            // The time-out of the pool does not reach this driver's login.
            config.addDataSourceProperty("socketTimeout", "5000");
        }
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }
}
