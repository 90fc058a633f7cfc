package dev.postrider.jdbc;

import dev.postrider.Outbox;
import dev.postrider.database.Dialect;
import dev.postrider.testkit.OutboxTransaction;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;
import javax.sql.DataSource;

/** A transaction on a connection of its own. */
public final class JdbcTransaction implements OutboxTransaction {

    private final Connection connection;
    private final Outbox outbox;
    private boolean ended;

    private JdbcTransaction(Connection connection, Outbox outbox) {
        this.connection = connection;
        this.outbox = outbox;
    }

    public static JdbcTransaction begin(DataSource dataSource, JdbcOutbox outbox) {
        try {
            Connection connection = dataSource.getConnection();
            connection.setAutoCommit(false);
            return new JdbcTransaction(connection, outbox.on(connection));
        } catch (SQLException e) {
            throw new IllegalStateException("Could not begin", e);
        }
    }

    /** Begins a transaction that has locked the row of a message. */
    public static JdbcTransaction locking(DataSource dataSource, UUID id) {
        JdbcTransaction transaction = begin(dataSource, JdbcOutbox.create());
        try (PreparedStatement lock =
                transaction.connection.prepareStatement("select seq from outbox_message where id = ? for update")) {
            lock.setObject(1, Dialect.of(transaction.connection).id(id));
            lock.execute();
            return transaction;
        } catch (SQLException e) {
            throw new IllegalStateException("Could not lock " + id, e);
        }
    }

    @Override
    public Outbox outbox() {
        return outbox;
    }

    @Override
    public void commit() {
        end(connection::commit);
    }

    @Override
    public void rollback() {
        end(connection::rollback);
    }

    @Override
    public void close() {
        try (connection) {
            if (!ended && !connection.isClosed()) {
                connection.rollback();
            }
        } catch (SQLException e) {
            throw new IllegalStateException("Could not close", e);
        }
    }

    private void end(Ending ending) {
        try {
            ending.run();
        } catch (SQLException e) {
            throw new IllegalStateException("Could not end", e);
        }
        ended = true;
    }

    @FunctionalInterface
    private interface Ending {

        void run() throws SQLException;
    }
}
