package dev.postrider.jdbc;

import dev.postrider.OutboxMessage;
import dev.postrider.admin.StoredMessage;
import dev.postrider.spi.Shards;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Relays that claim on PostgreSQL, and what can be seen of it. */
final class Claimants {

    static final Duration LONG = Duration.ofMinutes(5);
    static final Duration PATIENCE = Duration.ofMinutes(2);
    static final Set<Integer> ALL = IntStream.range(0, Shards.COUNT).boxed().collect(Collectors.toUnmodifiableSet());
    static final String NOTES = "select count(*) from outbox_claim";
    static final String WAITING_FOR_A_LOCK =
            "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";

    private Claimants() {}

    static JdbcOutboxStore joined(Fixture fixture, String relay) {
        JdbcOutboxStore store = JdbcOutboxStore.builder(fixture.pool()).build();
        store.renew(relay, LONG);
        store.acquire(relay, ALL);
        return store;
    }

    static JdbcOutboxStore takenOver(Fixture fixture, String from, String to) {
        fixture.execute("delete from outbox_relay where id = '%s'".formatted(from));
        return joined(fixture, to);
    }

    static List<OutboxMessage> enqueue(Fixture fixture, int count) throws SQLException {
        List<OutboxMessage> messages = IntStream.range(0, count)
                .mapToObj(i -> OutboxMessage.to("orders", "Placed").key("k" + i).build())
                .toList();
        try (Connection connection = fixture.pool().getConnection()) {
            connection.setAutoCommit(false);
            JdbcOutbox.create().enqueueAll(connection, messages);
            connection.commit();
        }
        return messages;
    }

    static StoredMessage stored(Fixture fixture, OutboxMessage message) {
        return JdbcOutboxAdmin.of(fixture.pool()).find(message.id()).orElseThrow();
    }

    static long number(Fixture fixture, String query) throws SQLException {
        try (Connection connection = fixture.pool().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }
}
