package dev.postrider.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OutboxMessage;
import dev.postrider.relay.Relay;
import dev.postrider.services.Database;
import dev.postrider.services.Database.Kind;
import dev.postrider.services.SingleConnection;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Shards;
import dev.postrider.spi.TopicFilter;
import dev.postrider.testkit.RecordingPublisher;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** An operator reads PostgreSQL's log: the library's statements leave no warnings there. */
final class ServerLogTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    // The driver sends a statement in another way once it has run five times.
    private static final int TIMES = 8;

    @Test
    void anIdleRelayLeavesNoWarning() throws SQLException {
        Kinds.require(Kind.POSTGRES_18);
        try (Database database = Database.start(Kind.POSTGRES_18);
                RecordingPublisher publisher = new RecordingPublisher();
                Relay relay = Relay.builder(
                                JdbcOutboxStore.builder(database.dataSource()).build(), publisher)
                        .pollInterval(Duration.ofMillis(20))
                        .build()) {
            OutboxSchema.of(database.dataSource()).migrate();
            relay.start();
            enqueue(database.dataSource());
            Awaitility.await().atMost(PATIENCE).until(() -> publisher.received().size() == 1);
            long transactions = transactions(database.dataSource());

            Awaitility.await().atMost(PATIENCE).until(() -> transactions(database.dataSource()) > transactions + 50);

            assertThat(database.log()).doesNotContain("WARNING");
        }
    }

    @Test
    void noStatementOfTheStoreLeavesAWarning() throws SQLException {
        Kinds.require(Kind.POSTGRES_18);
        try (Database database = Database.start(Kind.POSTGRES_18);
                Connection only = database.dataSource().getConnection()) {
            DataSource dataSource = new SingleConnection(only);
            OutboxSchema.of(dataSource).migrate();
            JdbcOutboxStore store = JdbcOutboxStore.builder(dataSource).build();

            for (int i = 0; i < TIMES; i++) {
                enqueue(dataSource);
                HandRelay relay = HandRelay.join(store, "a");
                List<ClaimedMessage> fetched = relay.fetch();
                assertThat(store.beginTrial(fetched.get(0))).isTrue();
                relay.settle(fetched, each -> Settlement.retry(each, Duration.ZERO, "broken", true));
                relay.settle(relay.due(), Settlement::delivered);
                relay.end(fetched);
                store.appeared(Shards.ALL, TopicFilter.ALL, List.of(new SeqRange(0, 100)));
                store.writers();
                store.unblock(HandRelay.ALL, 0);
                store.saveLowWater("a", 1);
                store.leave("a");
                enqueue(dataSource);
                relay.settle(store.claimUnsharded("a", 10, HandRelay.LONG, 3, null), Settlement::delivered);
            }

            assertThat(database.log()).doesNotContain("WARNING");
        }
    }

    private static void enqueue(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            JdbcOutbox.create()
                    .enqueueAndCommit(
                            connection,
                            OutboxMessage.to("orders", "OrderPlaced").build());
            connection.setAutoCommit(true);
        }
    }

    private static long transactions(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "select xact_commit from pg_stat_database where datname = current_database()")) {
            row.next();
            return row.getLong(1);
        }
    }
}
