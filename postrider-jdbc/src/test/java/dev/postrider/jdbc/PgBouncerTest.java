package dev.postrider.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.OutboxMessage;
import dev.postrider.relay.Relay;
import dev.postrider.services.Availability;
import dev.postrider.services.Database.Kind;
import dev.postrider.services.PgBouncer;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Shards;
import dev.postrider.spi.TopicFilter;
import dev.postrider.testkit.RecordingPublisher;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** In transaction mode the statements that a driver has prepared on the server are somewhere else, or another's. */
final class PgBouncerTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int CLIENTS = 4;
    // The driver prepares a statement on the server when it runs for the fifth time.
    private static final int CALLS = 40;

    @BeforeAll
    static void requirePgBouncer() {
        Availability availability = PgBouncer.available();
        Assumptions.assumeTrue(availability.available(), availability::reason);
    }

    @Test
    void noCallOfTheStoreFails() throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(CLIENTS);
        try (Fixture fixture = Fixture.create(Kinds.require(Kind.POSTGRES_18));
                PgBouncer bouncer = PgBouncer.to(fixture.database(), 2);
                HikariDataSource pool = pool(bouncer.dataSource())) {
            JdbcOutboxStore store = JdbcOutboxStore.builder(pool).build();
            List<Callable<Integer>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                String relay = "relay-" + i;
                clients.add(() -> {
                    int answers = 0;
                    for (int call = 0; call < CALLS; call++) {
                        store.renew(relay, HandRelay.LONG);
                        store.appeared(Shards.ALL, TopicFilter.ALL, List.of(new SeqRange(0, 100)));
                        answers++;
                    }
                    return answers;
                });
            }

            List<Future<Integer>> answers = executor.invokeAll(clients, PATIENCE.toSeconds(), TimeUnit.SECONDS);

            for (Future<Integer> each : answers) {
                assertThat(each.get()).isEqualTo(CALLS);
            }
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    void twoRelaysDeliver() throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(Kind.POSTGRES_18));
                PgBouncer bouncer = PgBouncer.to(fixture.database(), 2);
                HikariDataSource pool = pool(bouncer.dataSource());
                RecordingPublisher publisher = new RecordingPublisher();
                Relay first = relay(pool, publisher);
                Relay second = relay(pool, publisher)) {
            first.start();
            second.start();

            for (int i = 1; i <= CALLS; i++) {
                int expected = i;
                enqueue(fixture.producers());
                Awaitility.await()
                        .atMost(PATIENCE)
                        .until(() -> publisher.received().size() >= expected);
            }

            assertThat(first.health().failure()).isEmpty();
            assertThat(second.health().failure()).isEmpty();
        }
    }

    private static Relay relay(DataSource pool, RecordingPublisher publisher) {
        return Relay.builder(JdbcOutboxStore.builder(pool).build(), publisher)
                .pollInterval(Duration.ofMillis(20))
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

    private static HikariDataSource pool(DataSource dataSource) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(dataSource);
        config.setMaximumPoolSize(CLIENTS);
        return new HikariDataSource(config);
    }
}
