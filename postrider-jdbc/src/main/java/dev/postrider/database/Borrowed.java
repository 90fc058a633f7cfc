package dev.postrider.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection and how it was when the pool handed it out. To ask for its isolation can cost a round trip, so whoever
 * knows the answer may say {@code readCommitted}.
 *
 * @param after what else has to be said before it goes back
 */
record Borrowed(Connection connection, boolean autoCommit, int isolation, List<String> after) {

    private static final Logger log = LoggerFactory.getLogger(Borrowed.class);

    static Borrowed autoCommitted(Connection connection, boolean readCommitted) throws SQLException {
        return configure(connection, readCommitted, List.of());
    }

    static Borrowed transacted(Connection connection, boolean readCommitted, Dialect dialect) throws SQLException {
        Borrowed borrowed = configure(connection, readCommitted, dialect.afterTransaction());
        execute(connection, dialect.beforeTransaction());
        connection.setAutoCommit(false);
        return borrowed;
    }

    /** Begins a transaction that may pause for as long as it likes, but waits for a lock no longer than given. */
    static Borrowed begun(Connection connection, boolean readCommitted, Dialect dialect, @Nullable Duration lockWait)
            throws SQLException {
        Borrowed borrowed = configure(connection, readCommitted, List.of());
        try {
            connection.setAutoCommit(false);
            List<String> after = lockWait == null ? List.of() : dialect.limitLockWait(connection, lockWait);
            return new Borrowed(connection, borrowed.autoCommit, borrowed.isolation, after);
        } catch (SQLException | RuntimeException | Error e) {
            borrowed.undo(e);
            throw e;
        }
    }

    private static Borrowed configure(Connection connection, boolean readCommitted, List<String> after)
            throws SQLException {
        boolean autoCommitBefore = connection.getAutoCommit();
        // The isolation can only be changed between transactions.
        if (!autoCommitBefore) {
            connection.setAutoCommit(true);
        }
        int isolationBefore =
                readCommitted ? Connection.TRANSACTION_READ_COMMITTED : connection.getTransactionIsolation();
        if (isolationBefore != Connection.TRANSACTION_READ_COMMITTED) {
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        }
        return new Borrowed(connection, autoCommitBefore, isolationBefore, after);
    }

    /** Rolls back and restores; what goes wrong on the way is noted in {@code error}. */
    void undo(Throwable error) {
        try {
            // Also where statements commit on their own: one that began a transaction may have failed before its end.
            connection.setAutoCommit(false);
            connection.rollback();
            reset();
        } catch (SQLException e) {
            error.addSuppressed(e);
        }
    }

    /** Restores after success. The work is committed: a connection that broke since then does not make it fail. */
    void restore() {
        try {
            reset();
        } catch (SQLException e) {
            log.debug("Could not restore a connection; the pool will find it broken", e);
        }
    }

    private void reset() throws SQLException {
        if (!connection.getAutoCommit()) {
            connection.setAutoCommit(true);
        }
        execute(connection, after);
        if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
            connection.setTransactionIsolation(isolation);
        }
        if (!autoCommit) {
            connection.setAutoCommit(false);
        }
    }

    private static void execute(Connection connection, List<String> statements) throws SQLException {
        for (String sql : statements) {
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
            }
        }
    }
}
