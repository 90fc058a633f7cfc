package dev.postrider;

import java.util.List;

/**
 * Writes messages in the caller's transaction: they exist if, and only if, it commits.
 *
 * <p>An outbox is bound to one transaction; how it is obtained depends on the store.
 */
public interface Outbox {

    /**
     * Enqueues the message.
     *
     * @throws IllegalArgumentException if the message breaks a limit or the tenant policy; nothing is inserted
     * @throws OutboxException if there is no open transaction or the database refuses the row
     */
    Receipt enqueue(OutboxMessage message);

    /** Enqueues all messages in order, in one round trip where the database allows it; all are checked first. */
    List<Receipt> enqueueAll(List<OutboxMessage> messages);
}
