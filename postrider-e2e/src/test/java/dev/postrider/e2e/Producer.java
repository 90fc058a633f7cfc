package dev.postrider.e2e;

import static org.awaitility.Awaitility.await;

import dev.postrider.OutboxException;
import dev.postrider.OutboxMessage;
import dev.postrider.jdbc.JdbcOutbox;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import javax.sql.DataSource;

/**
 * The only writer of its keys, so that the writers of a key are serialised. Numbers the messages of each key from zero;
 * a batch is one transaction. Thread-safe.
 */
final class Producer {

    private final JdbcOutbox outbox = JdbcOutbox.create();
    private final DataSource dataSource;
    private final List<String> keys;
    private final Random random;
    private Map<String, Integer> enqueued = new TreeMap<>();
    private int total;

    Producer(DataSource dataSource, List<String> keys) {
        this.dataSource = dataSource;
        this.keys = List.copyOf(keys);
        this.random = new Random(keys.hashCode());
    }

    /** Enqueues messages of random keys of its own; if the database was lost, finds out whether they were committed. */
    synchronized void enqueue(int messages) {
        Map<String, Integer> next = new TreeMap<>(enqueued);
        List<OutboxMessage> batch = new ArrayList<>(messages);
        for (int i = 0; i < messages; i++) {
            String key = keys.get(random.nextInt(keys.size()));
            int number = next.merge(key, 1, Integer::sum) - 1;
            batch.add(OutboxMessage.to("orders", "order-placed")
                    .key(key)
                    .payload(key + " " + number)
                    .build());
        }
        if (commit(batch)) {
            enqueued = next;
            total += messages;
        }
    }

    private boolean commit(List<OutboxMessage> batch) {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            outbox.on(connection).enqueueAll(batch);
            connection.commit();
            return true;
        } catch (SQLException | OutboxException e) {
            await().atMost(RelayProcess.PATIENCE).ignoreExceptions().until(() -> count(batch.get(0)) >= 0);
            return committed(batch.get(0));
        }
    }

    private boolean committed(OutboxMessage message) {
        try {
            return count(message) > 0;
        } catch (SQLException e) {
            throw new IllegalStateException("Could not find out whether %s exists".formatted(message), e);
        }
    }

    private int count(OutboxMessage message) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement statement = connection.prepareStatement(
                        "select count(*) from outbox_message where message_key = ? and payload = ?")) {
            statement.setString(1, message.key().orElseThrow());
            statement.setBytes(2, message.payload());
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                return rows.getInt(1);
            }
        }
    }

    synchronized int total() {
        return total;
    }

    /** Returns how many messages of each key were committed. */
    synchronized Map<String, Integer> enqueued() {
        return Map.copyOf(enqueued);
    }
}
