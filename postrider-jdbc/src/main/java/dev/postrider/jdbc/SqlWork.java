package dev.postrider.jdbc;

import java.sql.SQLException;

/** What is done with a borrowed connection; it may be done again after a deadlock. */
@FunctionalInterface
interface SqlWork<T> {

    T run(Session session) throws SQLException;
}
