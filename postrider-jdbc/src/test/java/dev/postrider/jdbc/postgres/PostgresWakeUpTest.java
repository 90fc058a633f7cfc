package dev.postrider.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.database.TableNames;
import dev.postrider.jdbc.Fixture;
import dev.postrider.jdbc.JdbcOutboxStore;
import dev.postrider.jdbc.Kinds;
import dev.postrider.relay.Relay;
import dev.postrider.services.Database.Kind;
import dev.postrider.testkit.RecordingPublisher;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("B2")
final class PostgresWakeUpTest {

    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration SHORT = Duration.ofMillis(50);

    private final Fixture fixture = Fixture.create(Kinds.require(Kind.POSTGRES_18));
    private final ExecutorService executor = Executors.newCachedThreadPool();

    @AfterEach
    void close() {
        executor.shutdownNow();
        fixture.close();
    }

    @Test
    void aSignalWakesAnotherProcess() throws Exception {
        try (PostgresWakeUp sender = PostgresWakeUp.of(fixture.pool());
                PostgresWakeUp relay = listening(TableNames.defaults())) {
            Future<Boolean> woken = executor.submit(() -> relay.await(LONG));

            sender.signal();

            assertThat(woken.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(relay.await(SHORT)).isFalse();
        }
    }

    @Test
    void otherTablesAreNotWoken() throws Exception {
        try (PostgresWakeUp sender = PostgresWakeUp.of(fixture.pool());
                PostgresWakeUp relay = listening(TableNames.defaults().withPrefix("billing_"))) {
            sender.signal();

            assertThat(relay.await(Duration.ofMillis(300))).isFalse();
        }
    }

    @Test
    void aBrokenConnectionIsReplaced() throws Exception {
        try (PostgresWakeUp sender = PostgresWakeUp.of(fixture.database().dataSource());
                PostgresWakeUp relay = listening(TableNames.defaults())) {
            fixture.execute("select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen %'");

            Awaitility.await().atMost(PATIENCE).until(() -> {
                sender.signal();
                return relay.await(SHORT);
            });
            drain(relay);
            sender.signal();

            assertThat(relay.await(LONG)).isTrue();
        }
    }

    @Test
    void anInterruptEndsTheWait() throws Exception {
        try (PostgresWakeUp relay = listening(TableNames.defaults())) {
            Future<Boolean> waiting = executor.submit(() -> relay.await(LONG));

            waiting.cancel(true);
            executor.shutdown();

            assertThat(executor.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        }
    }

    @Test
    void closingEndsTheWait() throws Exception {
        PostgresWakeUp relay = listening(TableNames.defaults());
        Future<Boolean> waiting = executor.submit(() -> relay.await(LONG));

        relay.close();

        assertThat(waiting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isFalse();
    }

    @Test
    void aSignalNeverFails() {
        PostgresWakeUp sender = PostgresWakeUp.of(fixture.pool());
        fixture.close();

        sender.signal();

        assertThat(sender).isNotNull();
    }

    @Test
    void aPoolOfOneConnectionIsRefusedAndStillServesTheStore() throws Exception {
        HikariConfig config = new HikariConfig();
        config.setDataSource(fixture.database().dataSource());
        config.setMaximumPoolSize(1);
        try (HikariDataSource one = new HikariDataSource(config);
                RecordingPublisher publisher = new RecordingPublisher();
                Relay relay = Relay.builder(JdbcOutboxStore.builder(one).build(), publisher)
                        .wakeUp(PostgresWakeUp.of(one))
                        .build()) {
            relay.start();
            fixture.enqueue(1);

            Awaitility.await()
                    .atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(relay.health().failure())
                            .hasValueSatisfying(failure -> assertThat(failure).contains("at least two connections")));
            Awaitility.await().atMost(PATIENCE).until(() -> publisher.received().size() == 1);
        }
    }

    private PostgresWakeUp listening(TableNames names) throws InterruptedException {
        PostgresWakeUp relay = PostgresWakeUp.of(fixture.database().dataSource(), names);
        drain(relay);
        return relay;
    }

    private static void drain(PostgresWakeUp relay) throws InterruptedException {
        boolean woken = true;
        while (woken) {
            woken = relay.await(SHORT);
        }
    }
}
