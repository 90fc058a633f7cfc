package dev.postrider.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * Which connections begin their transactions with READ COMMITTED. A pool hands a connection out as it got it from the
 * driver, so a driver that needs a round trip for the answer is asked once for each. Thread-safe.
 */
final class Isolations {

    private final Set<Connection> readCommitted =
            Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    boolean isReadCommitted(Connection connection, Dialect dialect) throws SQLException {
        return dialect.asksForIsolation() && readCommitted.contains(connection.unwrap(Connection.class));
    }

    void learn(Borrowed borrowed, Dialect dialect) throws SQLException {
        if (dialect.asksForIsolation() && borrowed.isolation() == Connection.TRANSACTION_READ_COMMITTED) {
            readCommitted.add(borrowed.connection().unwrap(Connection.class));
        }
    }
}
