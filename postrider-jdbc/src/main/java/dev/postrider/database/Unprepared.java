package dev.postrider.database;

import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.PGConnection;

/**
 * Keeps PostgreSQL's driver from naming prepared statements on the server, for a pooler that runs each transaction on
 * another server connection. Apart from other classes, because the driver is optional.
 */
final class Unprepared {

    private Unprepared() {}

    /** Changes a connection for the rest of its life; does nothing if that has been done. */
    static void make(Connection connection) throws SQLException {
        if (!connection.isWrapperFor(PGConnection.class)) {
            return;
        }
        PGConnection driver = connection.unwrap(PGConnection.class);
        if (driver.getPrepareThreshold() != 0) {
            driver.setPrepareThreshold(0);
            // The driver goes on using the names it has given until it sees this statement.
            DialectTraits.execute(connection, "deallocate all");
        }
    }
}
