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
 * Ends a transaction of a framework. What was set on the connection is restored before the end, because the framework
 * gives the connection back with it.
 */
record FrameworkFrame(FrameworkTransaction transaction, List<String> undo) implements Frame {

    private static final Logger log = LoggerFactory.getLogger(FrameworkFrame.class);

    static OpenTransaction begin(FrameworkTransaction.Source source, SqlText text, @Nullable Duration lockWait)
            throws SQLException {
        FrameworkTransaction transaction = source.begin();
        try {
            Connection connection = transaction.connection();
            List<String> undo = lockWait == null ? List.of() : text.dialect().limitLockWait(connection, lockWait);
            return new OpenTransaction(new FrameworkFrame(transaction, undo), new Session(connection, text, 0));
        } catch (SQLException | RuntimeException | Error e) {
            rollback(transaction, e);
            throw e;
        }
    }

    private static void rollback(FrameworkTransaction transaction, Throwable cause) {
        try {
            transaction.rollback();
        } catch (SQLException | RuntimeException e) {
            cause.addSuppressed(e);
        }
    }

    @Override
    public void flush() throws SQLException {
        transaction.flush();
    }

    @Override
    public void commit() throws SQLException {
        restore();
        transaction.commit();
    }

    @Override
    public void close(boolean open) throws SQLException {
        if (open) {
            restore();
            transaction.rollback();
        }
    }

    private void restore() {
        for (String sql : undo) {
            try (Statement statement = transaction.connection().createStatement()) {
                statement.execute(sql);
            } catch (SQLException e) {
                log.debug("Could not restore a connection; the pool will find it broken", e);
            }
        }
    }
}
