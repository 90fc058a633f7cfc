package dev.postrider.database;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A transaction on a borrowed connection, or of a framework. Closing it rolls back what is not committed, and gives the
 * connection back as it came. Not thread-safe.
 */
public final class OpenTransaction implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(OpenTransaction.class);

    private final Frame frame;
    private final Session session;
    private boolean open = true;

    OpenTransaction(Frame frame, Session session) {
        this.frame = frame;
        this.session = session;
    }

    /** Returns the connection with the text of statements. */
    public Session session() {
        return session;
    }

    /**
     * Begins with an update, in its round trip; for PostgreSQL only.
     *
     * @return how many rows it changed
     */
    public int beginWith(String update, @Nullable Object... values) throws SQLException {
        try (PreparedStatement statements = session.prepare("begin;\n" + update)) {
            Session.bind(statements, values);
            statements.execute();
            statements.getMoreResults();
            int changed = statements.getUpdateCount();
            // The driver sees that a transaction is open and begins no other.
            session.connection().setAutoCommit(false);
            return changed;
        }
    }

    /** Runs the last statements and commits, in one round trip, unless one of them fails; for PostgreSQL only. */
    public void commitWith(String statements, @Nullable Object... values) throws SQLException {
        try (PreparedStatement last = session.prepare(statements + ";\ncommit")) {
            Session.bind(last, values);
            last.execute();
        }
        open = false;
    }

    /** Sends what a framework holds back, such as changed entities. */
    public void flush() throws SQLException {
        frame.flush();
    }

    /** Commits. After an error nobody knows whether it did. */
    public void commit() throws SQLException {
        frame.commit();
        open = false;
    }

    /** Rolls back if nothing was committed. What goes wrong changes nothing: the server rolls back by itself. */
    @Override
    public void close() {
        try {
            frame.close(open);
        } catch (SQLException | RuntimeException e) {
            log.debug("Could not give a connection back in order; the pool will find it broken", e);
        }
    }
}
