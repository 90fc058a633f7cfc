package dev.postrider.inbox;

import dev.postrider.database.Session;
import dev.postrider.database.SqlErrors;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Inserts that say whether the row was there already, after waiting for whoever is just inserting it. A duplicate is
 * known by its code: ON DUPLICATE KEY UPDATE would count it as inserted, and IGNORE would cut what is too long.
 */
final class Insertion {

    private Insertion() {}

    /** Runs an insert with {@code {unless_there}} and tells whether it inserted; the transaction stays usable. */
    static boolean unlessThere(Session session, String insert, @Nullable Object... values) throws SQLException {
        try {
            return session.update(insert, values) == 1;
        } catch (SQLException e) {
            if (SqlErrors.duplicate(e)) {
                return false;
            }
            throw e;
        }
    }
}
