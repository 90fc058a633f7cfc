package dev.postrider.saga;

import dev.postrider.database.SqlErrors;
import dev.postrider.database.Transactions;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.time.Duration;
import java.util.UUID;

/**
 * The transaction that writes what became of a step. It is repeated by itself: what happened outside the database
 * cannot be taken back. The fence inside it stops a run that has lost its claim.
 */
@FunctionalInterface
interface Recording {

    /** How often it is tried whatever the error. */
    int ATTEMPTS = 4;

    /** How long errors that pass are outlasted. */
    Duration PATIENCE = Duration.ofMinutes(1);

    /** Tries once; returns whether the saga has more to do at once. */
    boolean write() throws SQLException;

    /**
     * Tries until the database takes it.
     *
     * @throws SQLException if it does not
     */
    default boolean outlast(UUID saga) throws SQLException {
        long begun = System.nanoTime();
        for (int attempt = 1; ; attempt++) {
            try {
                return write();
            } catch (SQLException e) {
                boolean over = !passes(e) || System.nanoTime() - begun > PATIENCE.toNanos();
                if (attempt >= ATTEMPTS && over) {
                    throw e;
                }
                Transactions.pause("write down what became of a step of saga " + saga, attempt, e);
            }
        }
    }

    private static boolean passes(SQLException error) {
        return LocalWorker.isPassing(error)
                || SqlErrors.connectionLost(error)
                || SqlErrors.readOnly(error)
                || error instanceof SQLTransientException;
    }
}
