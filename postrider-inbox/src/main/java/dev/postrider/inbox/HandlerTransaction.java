package dev.postrider.inbox;

import dev.postrider.OutboxMessage;
import dev.postrider.Receipt;
import dev.postrider.database.GuardedConnection;
import dev.postrider.database.Session;
import dev.postrider.jdbc.JdbcOutbox;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** What a handler gets, for as long as it runs. */
final class HandlerTransaction implements InboxTransaction, AutoCloseable {

    private final Session session;
    private final GuardedConnection guarded;
    private final @Nullable JdbcOutbox outbox;
    private final @Nullable Incoming incoming;
    private final boolean own;
    private int attempt;

    /**
     * Opens the transaction to a handler.
     *
     * @param incoming the message; null for a batch
     * @param own whether the connection is the inbox's own
     */
    HandlerTransaction(Session session, @Nullable JdbcOutbox outbox, @Nullable Incoming incoming, boolean own) {
        this.session = session;
        this.guarded = GuardedConnection.of(session.connection());
        this.outbox = outbox;
        this.incoming = incoming;
        this.own = own;
    }

    @Override
    public Connection connection() {
        return guarded.connection();
    }

    @Override
    public Receipt enqueue(OutboxMessage message) {
        if (outbox == null) {
            throw new IllegalStateException("enqueue needs an outbox: give one to the builder of the inbox");
        }
        // After an error the outbox ends the transaction and closes the connection, of which the inbox has settings to
        // undo; that the transaction has ended is found by the check before the commit.
        Connection connection = session.connection();
        return outbox.enqueue(own ? GuardedConnection.keptOpen(connection) : connection, message);
    }

    @Override
    public int attempt() {
        if (attempt == 0) {
            attempt = 1 + failures();
        }
        return attempt;
    }

    private int failures() {
        if (incoming == null) {
            return 0;
        }
        try {
            return new FailureRows(session)
                    .find(incoming.consumer(), incoming.id())
                    .map(FailureRows.Row::attempts)
                    .orElse(0);
        } catch (SQLException e) {
            throw new InboxException(
                    InboxException.Reason.INFRASTRUCTURE, "Could not read how often %s failed".formatted(incoming), e);
        }
    }

    @Override
    public void close() {
        guarded.close();
    }
}
