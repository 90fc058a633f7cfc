package dev.postrider.server.dev;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;

/**
 * The connections of one relay. When they are cut, the relay can say nothing more to the database, as if its process
 * had died. Thread-safe.
 */
final class DevRelayPool extends HikariDataSource {

    private static final String CONNECTION_LOST = "08003";

    private volatile boolean cut;

    DevRelayPool(HikariConfig config) {
        super(config);
    }

    /** Gives no more connections; a statement under way is the last one of its thread. */
    void cut() {
        cut = true;
    }

    @Override
    public Connection getConnection() throws SQLException {
        if (cut) {
            throw new SQLNonTransientConnectionException("The relay was killed", CONNECTION_LOST);
        }
        return super.getConnection();
    }
}
