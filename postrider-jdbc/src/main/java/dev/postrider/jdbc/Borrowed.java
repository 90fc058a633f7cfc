package dev.postrider.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection and how it was when the pool handed it out. */
record Borrowed(Connection connection, boolean autoCommit, int isolation) {

    private static final Logger log = LoggerFactory.getLogger(Borrowed.class);

    static Borrowed configure(Connection connection, boolean autoCommit) throws SQLException {
        boolean autoCommitBefore = connection.getAutoCommit();
        // The isolation can only be changed between transactions.
        if (!autoCommitBefore) {
            connection.setAutoCommit(true);
        }
        int isolationBefore = connection.getTransactionIsolation();
        if (isolationBefore != Connection.TRANSACTION_READ_COMMITTED) {
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        }
        if (!autoCommit) {
            connection.setAutoCommit(false);
        }
        return new Borrowed(connection, autoCommitBefore, isolationBefore);
    }

    /** Rolls back and restores; what goes wrong on the way is noted in {@code error}. */
    void undo(Throwable error) {
        try {
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
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
        if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
            connection.setTransactionIsolation(isolation);
        }
        if (!autoCommit) {
            connection.setAutoCommit(false);
        }
    }
}
