package dev.postrider.inbox;

import dev.postrider.OutboxMessage;
import dev.postrider.Receipt;
import java.sql.Connection;

/** The transaction a handler works in. It ends with the handler and belongs to its thread. */
public interface InboxTransaction {

    /**
     * Returns the connection to write with. The inbox commits and closes it: commit, rollback, close and the like are
     * refused, savepoints are allowed.
     */
    Connection connection();

    /**
     * Enqueues a message in the same transaction.
     *
     * @throws IllegalStateException if the inbox was built without an outbox
     */
    Receipt enqueue(OutboxMessage message);

    /** Returns which attempt this is: 1, and one more for each failure counted before. In a batch always 1. */
    int attempt();
}
