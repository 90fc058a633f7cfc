package dev.postrider.jdbc;

import dev.postrider.OutboxException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Borrows connections for the relay's own work: READ COMMITTED whatever the pool hands out, everything rolled back
 * after an error, everything put back as it was found. Thread-safe.
 */
final class Transactions {

    private static final int ATTEMPTS = 6;
    private static final int FIRST_WAIT_MILLIS = 4;

    private final DataSource dataSource;
    private final TableNames names;
    private final int timeoutSeconds;
    private volatile @Nullable SqlText text;
    private final Isolations isolations = new Isolations();

    Transactions(DataSource dataSource, TableNames names, int timeoutSeconds) {
        this.dataSource = dataSource;
        this.names = names;
        this.timeoutSeconds = timeoutSeconds;
    }

    /** Returns the database's dialect, asking the database once; refuses tables that do not fit. */
    Dialect dialect() {
        return text().dialect();
    }

    private SqlText text() {
        SqlText known = text;
        if (known == null) {
            try (Connection connection = dataSource.getConnection()) {
                known = new SqlText(names, Dialects.of(connection));
                SchemaCheck.requireFit(connection, names);
            } catch (SQLException e) {
                throw new OutboxException("Could not find out which database this is", e);
            }
            text = known;
        }
        return known;
    }

    /** Runs work whose statements each commit on their own, so that a frozen client holds no locks. */
    <T> T autoCommitted(String what, SqlWork<T> work) {
        return repeated(what, true, work);
    }

    /** Runs work in one transaction. */
    <T> T transacted(String what, SqlWork<T> work) {
        return repeated(what, false, work);
    }

    private <T> T repeated(String what, boolean autoCommit, SqlWork<T> work) {
        for (int attempt = 1; ; attempt++) {
            try {
                return once(autoCommit, work);
            } catch (SQLException e) {
                if (attempt == ATTEMPTS || !SqlErrors.retryable(e)) {
                    throw SchemaCheck.explained("Could not " + what, e, names);
                }
                pause(what, attempt, e);
            }
        }
    }

    private <T> T once(boolean autoCommit, SqlWork<T> work) throws SQLException {
        SqlText text = text();
        try (Connection connection = dataSource.getConnection()) {
            boolean known = isolations.isReadCommitted(connection, text.dialect());
            Borrowed borrowed = autoCommit
                    ? Borrowed.autoCommitted(connection, known)
                    : Borrowed.transacted(connection, known, text.dialect());
            isolations.learn(borrowed, text.dialect());
            T result;
            try {
                result =
                        work.run(new Session(connection, text, text.dialect().limitsStatements() ? timeoutSeconds : 0));
                if (!autoCommit) {
                    connection.commit();
                }
            } catch (SQLException | RuntimeException | Error e) {
                borrowed.undo(e);
                throw e;
            }
            borrowed.restore();
            return result;
        }
    }

    private static void pause(String what, int attempt, SQLException cause) {
        int longest = FIRST_WAIT_MILLIS << attempt;
        try {
            TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextInt(longest / 2, longest));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OutboxException("Interrupted; could not " + what, cause);
        }
    }
}
