package dev.postrider.jdbc;

import dev.postrider.Outbox;
import dev.postrider.testkit.OutboxTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A transaction on a connection of its own. */
final class JdbcTransaction implements OutboxTransaction {

    private final Connection connection;
    private final Outbox outbox;
    private boolean ended;

    private JdbcTransaction(Connection connection, Outbox outbox) {
        this.connection = connection;
        this.outbox = outbox;
    }

    static JdbcTransaction begin(DataSource dataSource, JdbcOutbox outbox) {
        try {
            Connection connection = dataSource.getConnection();
            connection.setAutoCommit(false);
            return new JdbcTransaction(connection, outbox.on(connection));
        } catch (SQLException e) {
            throw new IllegalStateException("Could not begin", e);
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
