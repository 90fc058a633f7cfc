package dev.postrider.database;

import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A transaction on a borrowed connection. Closing it rolls back what is not committed, and gives the connection back as
 * it came. Not thread-safe.
 */
public final class OpenTransaction implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(OpenTransaction.class);

    private final Borrowed borrowed;
    private final Session session;
    private boolean open = true;

    OpenTransaction(Borrowed borrowed, Session session) {
        this.borrowed = borrowed;
        this.session = session;
    }

    /** Returns the connection with the text of statements. */
    public Session session() {
        return session;
    }

    /** Commits. After an error nobody knows whether it did. */
    public void commit() throws SQLException {
        session.connection().commit();
        open = false;
    }

    /** Rolls back if nothing was committed. What goes wrong changes nothing: the server rolls back by itself. */
    @Override
    public void close() {
        try (var connection = session.connection()) {
            if (open && !connection.isClosed() && !connection.getAutoCommit()) {
                connection.rollback();
            }
            borrowed.restore();
        } catch (SQLException e) {
            log.debug("Could not give a connection back in order; the pool will find it broken", e);
        }
    }
}
