package dev.postrider.benchmarks.inbox;

import dev.postrider.inbox.InboxResult;
import dev.postrider.inbox.JdbcInbox;
import dev.postrider.inbox.ReceivedMessage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** The ways to handle a message. Each returns how many milliseconds a message took. */
final class Ways {

    private static final String CONSUMER = "ledger";
    private static final String EFFECT = "insert into effect (message_id, worth) values (?, ?)";

    private final DataSource pool;
    private final JdbcInbox inbox;
    private final Ids ids = new Ids();
    private long handled;

    Ways(DataSource pool) {
        this.pool = pool;
        this.inbox = JdbcInbox.builder(pool).build();
    }

    /** Returns how many messages were handled so far. */
    long handled() {
        return handled;
    }

    double bare(int messages) throws Exception {
        return time(messages, () -> {
            String id = ids.next();
            try (Connection connection = pool.getConnection()) {
                connection.setAutoCommit(false);
                effect(connection, id);
                connection.commit();
                connection.setAutoCommit(true);
            }
            handled++;
        });
    }

    double process(int messages) throws Exception {
        return time(messages, () -> {
            String id = ids.next();
            InboxResult<Boolean> result = inbox.process(id, CONSUMER, transaction -> {
                effect(transaction.connection(), id);
                return true;
            });
            if (!(result instanceof InboxResult.Processed)) {
                throw new IllegalStateException("Message %s: %s".formatted(id, result));
            }
            handled++;
        });
    }

    double processBatch(int messages, int size) throws Exception {
        int batches = messages / size;
        return time(batches, () -> {
                    List<ReceivedMessage> batch = new ArrayList<>(size);
                    for (int i = 0; i < size; i++) {
                        batch.add(ReceivedMessage.from("orders").id(ids.next()).build());
                    }
                    var result = inbox.processBatch(
                            CONSUMER, batch, (fresh, transaction) -> effects(transaction.connection(), fresh));
                    if (result.firstUnacknowledged().isPresent()) {
                        throw new IllegalStateException("A batch failed: " + result);
                    }
                    handled += size;
                })
                / size;
    }

    private static void effect(Connection connection, String id) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(EFFECT)) {
            insert.setString(1, id);
            insert.setLong(2, 1);
            insert.executeUpdate();
        }
    }

    private static void effects(Connection connection, List<ReceivedMessage> messages) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(EFFECT)) {
            for (ReceivedMessage message : messages) {
                insert.setString(1, message.id().orElseThrow());
                insert.setLong(2, 1);
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    private static double time(int times, Work work) throws Exception {
        long start = System.nanoTime();
        for (int i = 0; i < times; i++) {
            work.run();
        }
        return (System.nanoTime() - start) / 1e6 / times;
    }

    @FunctionalInterface
    private interface Work {

        void run() throws Exception;
    }
}
