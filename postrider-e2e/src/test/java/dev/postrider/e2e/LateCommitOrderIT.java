package dev.postrider.e2e;

import static org.awaitility.Awaitility.await;

import dev.postrider.OutboxMessage;
import dev.postrider.jdbc.JdbcOutbox;
import dev.postrider.jdbc.JdbcOutboxStore;
import dev.postrider.relay.Relay;
import dev.postrider.services.Database.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The writer of a key is alone with it, but other transactions commit while its own is open. */
final class LateCommitOrderIT {

    private static final int ROUNDS = 3;

    private final JdbcOutbox outbox = JdbcOutbox.create();
    private final Map<String, Integer> enqueued = new HashMap<>();

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB"})
    @Tag("B1")
    void aKeyStaysInOrderWhenAnotherTransactionCommitsFirst(Kind kind) throws SQLException {
        SinkLog log = new SinkLog();
        try (Stage stage = Stage.shared(kind);
                Connection writer = stage.pool().getConnection();
                Connection stranger = stage.pool().getConnection();
                Relay relay = Relay.builder(
                                JdbcOutboxStore.builder(stage.pool()).build(), new LogPublisher(log))
                        .pollInterval(Duration.ofMillis(50))
                        .build()) {
            writer.setAutoCommit(false);
            stranger.setAutoCommit(false);
            relay.start();

            for (int round = 0; round < ROUNDS; round++) {
                int before = log.distinct();
                enqueue(writer, "key-" + round);
                enqueue(stranger, "stranger");
                stranger.commit();
                await().atMost(RelayProcess.PATIENCE).until(() -> log.distinct() > before);
                writer.commit();
                enqueue(writer, "key-" + round);
                writer.commit();
                await().atMost(RelayProcess.PATIENCE).until(() -> log.distinct() == before + 3);
            }
            await().atMost(RelayProcess.PATIENCE).until(() -> stage.unfinished() == 0);

            Audit.of(enqueued, log.arrivals(), stage.rows(), Set.of()).check(kind + " with late commits");
        }
    }

    private void enqueue(Connection connection, String key) {
        int number = enqueued.merge(key, 1, Integer::sum) - 1;
        outbox.enqueue(
                connection,
                OutboxMessage.to("orders", "order-placed")
                        .key(key)
                        .payload(key + " " + number)
                        .build());
    }
}
