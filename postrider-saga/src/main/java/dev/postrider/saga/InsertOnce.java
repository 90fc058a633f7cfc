package dev.postrider.saga;

import dev.postrider.database.Dialect;
import dev.postrider.database.Session;
import dev.postrider.database.SqlErrors;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Inserts a row unless its key is taken; whoever inserts the same key at the same time waits for the other's outcome.
 * The transaction is usable either way. Neither INSERT IGNORE, which hides other errors, nor ON DUPLICATE KEY UPDATE,
 * which counts a duplicate as a row, would tell the truth.
 */
final class InsertOnce {

    private static final String SKIP_DUPLICATE = " on conflict do nothing";

    private InsertOnce() {}

    /** Returns whether the row was inserted. */
    static boolean run(Session session, String insert, @Nullable Object... values) throws SQLException {
        boolean skips = session.dialect() == Dialect.POSTGRESQL;
        try {
            return session.update(skips ? insert + SKIP_DUPLICATE : insert, values) == 1;
        } catch (SQLException e) {
            if (!skips && SqlErrors.duplicate(e)) {
                return false;
            }
            throw e;
        }
    }
}
