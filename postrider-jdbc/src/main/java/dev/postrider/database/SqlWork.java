package dev.postrider.database;

import java.sql.SQLException;

/**
 * What is done with a borrowed connection; it may be done again after a deadlock.
 *
 * @param <T> what it finds
 */
@FunctionalInterface
public interface SqlWork<T> {

    /** Does the work. */
    T run(Session session) throws SQLException;
}
