package dev.postrider.benchmarks.contenders;

import dev.postrider.benchmarks.contest.arena.Arena;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Business transactions for contenders to whom a message is one plain insert, just before the commit. */
abstract class InsertTransactions extends PlainTransactions {

    private final ThreadLocal<List<Message>> pending = ThreadLocal.withInitial(ArrayList::new);
    private final String insert;

    InsertTransactions(Arena arena, int poolSize, String insert) {
        super(arena, poolSize);
        this.insert = insert;
    }

    /** Binds the parameters of the insert. */
    protected abstract void bind(PreparedStatement statement, String key, String payload) throws SQLException;

    @Override
    protected final void enqueue(Connection connection, int number, String key, String payload) {
        pending.get().add(new Message(key, payload));
    }

    // Many at once only fill a table before anything is measured.
    @Override
    protected final void commit(Connection connection) throws SQLException {
        List<Message> messages = pending.get();
        try (PreparedStatement statement = connection.prepareStatement(insert)) {
            if (messages.size() == 1) {
                bind(statement, messages.get(0).key, messages.get(0).payload);
                statement.executeUpdate();
            } else if (!messages.isEmpty()) {
                for (Message message : messages) {
                    bind(statement, message.key, message.payload);
                    statement.addBatch();
                }
                statement.executeBatch();
            }
        } finally {
            messages.clear();
        }
        connection.commit();
    }

    private record Message(String key, String payload) {}
}
