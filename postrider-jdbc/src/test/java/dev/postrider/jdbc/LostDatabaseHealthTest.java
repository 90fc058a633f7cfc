package dev.postrider.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.relay.HealthReport;
import dev.postrider.relay.HealthReport.State;
import dev.postrider.relay.HealthReport.Status;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayListener;
import dev.postrider.services.Database;
import dev.postrider.services.Database.Kind;
import dev.postrider.services.TcpProxy;
import dev.postrider.testkit.RecordingPublisher;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What a health endpoint says while the way to the database is cut. */
final class LostDatabaseHealthTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Test
    void aRelayWithoutItsDatabaseIsDownNotReadyAndLiveAndComesBackByItself() {
        try (Fixture fixture = Fixture.create(Kinds.require(Kind.POSTGRES_18));
                TcpProxy proxy = TcpProxy.to(fixture.database().port());
                HikariDataSource pool = pool(fixture.database(), proxy, Duration.ofSeconds(1));
                Relay relay = Relay.builder(JdbcOutboxStore.builder(pool).build(), new RecordingPublisher())
                        .build()) {
            assertThat(HealthReport.of(relay.health()).state()).isEqualTo(State.NEW);
            relay.start();
            awaitState(relay, State.RUNNING);

            proxy.refuse();
            proxy.cut();
            awaitState(relay, State.STORE_UNREACHABLE);
            HealthReport down = HealthReport.of(relay.health());
            proxy.accept();
            awaitState(relay, State.RUNNING);
            HealthReport up = HealthReport.of(relay.health());

            assertThat(down.status()).isEqualTo(Status.DOWN);
            assertThat(down.ready()).isFalse();
            assertThat(down.live()).isTrue();
            assertThat(down.details()).containsKey("failure");
            assertThat(up.status()).isEqualTo(Status.UP);
            assertThat(up.ready()).isTrue();
            assertThat(up.details()).doesNotContainKey("failure").containsEntry("ownedShards", 64);
        }
    }

    @Test
    void relayWaitingForConnectionsStaysAlive() {
        AtomicInteger failedTurns = new AtomicInteger();
        try (Fixture fixture = Fixture.create(Kinds.require(Kind.POSTGRES_18));
                TcpProxy proxy = TcpProxy.to(fixture.database().port());
                HikariDataSource pool = pool(fixture.database(), proxy, Duration.ofSeconds(12));
                Relay relay = Relay.builder(JdbcOutboxStore.builder(pool).build(), new RecordingPublisher())
                        .pollInterval(Duration.ofMillis(10))
                        .publishTimeout(Duration.ofMillis(100))
                        .listener(new RelayListener() {
                            @Override
                            public void turnFailed(String loop, Throwable cause) {
                                if (loop.equals("keep")) {
                                    failedTurns.incrementAndGet();
                                }
                            }
                        })
                        .build()) {
            relay.start();
            awaitState(relay, State.RUNNING);

            proxy.refuse();
            proxy.cut();

            Awaitility.await().atMost(PATIENCE).until(() -> {
                assertThat(relay.health().alive()).isTrue();
                return failedTurns.get() >= 2;
            });
            assertThat(relay.health().storeReachable()).isFalse();
            proxy.accept();
            awaitState(relay, State.RUNNING);
        }
    }

    @Test
    void storeIsUnreachableUntilTheFirstHeartbeat() {
        try (Fixture fixture = Fixture.create(Kinds.require(Kind.POSTGRES_18));
                TcpProxy proxy = TcpProxy.to(fixture.database().port());
                HikariDataSource pool = pool(fixture.database(), proxy, Duration.ofSeconds(5));
                Relay relay = Relay.builder(JdbcOutboxStore.builder(pool).build(), new RecordingPublisher())
                        .build()) {
            proxy.refuse();

            relay.start();

            assertThat(relay.health().storeReachable()).isFalse();
            assertThat(HealthReport.of(relay.health()).ready()).isFalse();
            proxy.accept();
            awaitState(relay, State.RUNNING);
        }
    }

    private static void awaitState(Relay relay, State state) {
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> HealthReport.of(relay.health()).state() == state);
    }

    private static HikariDataSource pool(Database database, TcpProxy proxy, Duration patience) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl().replace(":" + database.port() + "/", ":" + proxy.port() + "/"));
        config.setUsername(database.user());
        config.setPassword(database.password());
        config.setMaximumPoolSize(8);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(patience.toMillis());
        // The pool is built while the database is away, too.
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }
}
