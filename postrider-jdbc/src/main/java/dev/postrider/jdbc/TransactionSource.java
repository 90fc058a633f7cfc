package dev.postrider.jdbc;

import dev.postrider.OutboxException;
import java.sql.Connection;

/**
 * Finds the transaction that is open on the calling thread, for example that of a framework. Implementations are
 * thread-safe.
 */
@FunctionalInterface
public interface TransactionSource {

    /** Finds none: every enqueue names its connection. */
    TransactionSource NONE = () -> {
        throw new OutboxException("This outbox does not know the transaction of the thread: call"
                + " enqueue(connection, message), or build the outbox with transactions(...)");
    };

    /**
     * Returns the connection of the transaction that is open on the calling thread.
     *
     * @throws OutboxException if there is none, saying what to do
     */
    Connection connection();

    /** Takes the connection back after the enqueue. The transaction stays open. */
    default void release(Connection connection) {}
}
