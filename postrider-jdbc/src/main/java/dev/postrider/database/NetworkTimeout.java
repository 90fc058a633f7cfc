package dev.postrider.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits how long a borrowed connection waits for an answer, and restores the former limit when closed. A fail-over
 * without RST leaves connections that never answer again; the time-out of a statement cannot end that wait, because the
 * server enforces it. The drivers set it on the socket, without a round trip. Not thread-safe.
 */
public final class NetworkTimeout implements AutoCloseable {

    // The server ends a statement that takes too long, and its error has to arrive before the connection is given up.
    private static final int GRACE_SECONDS = 2;
    private static final int UNCHANGED = -1;
    private static final Logger log = LoggerFactory.getLogger(NetworkTimeout.class);

    private final Connection connection;
    private final int before;

    private NetworkTimeout(Connection connection, int before) {
        this.connection = connection;
        this.before = before;
    }

    /** Limits the waits of a connection whose statements may take this long; 0 for no limit. */
    public static NetworkTimeout set(Connection connection, int statementSeconds) throws SQLException {
        if (statementSeconds == 0) {
            return new NetworkTimeout(connection, UNCHANGED);
        }
        int millis = Math.toIntExact(TimeUnit.SECONDS.toMillis(statementSeconds + GRACE_SECONDS));
        try {
            int before = connection.getNetworkTimeout();
            boolean shorter = before > 0 && before <= millis;
            if (shorter) {
                return new NetworkTimeout(connection, UNCHANGED);
            }
            connection.setNetworkTimeout(Runnable::run, millis);
            return new NetworkTimeout(connection, before);
        } catch (SQLFeatureNotSupportedException e) {
            return new NetworkTimeout(connection, UNCHANGED);
        }
    }

    @Override
    public void close() {
        if (before == UNCHANGED) {
            return;
        }
        try {
            connection.setNetworkTimeout(Runnable::run, before);
        } catch (SQLException e) {
            log.debug("Could not restore the network time-out; the pool will find the connection broken", e);
        }
    }
}
