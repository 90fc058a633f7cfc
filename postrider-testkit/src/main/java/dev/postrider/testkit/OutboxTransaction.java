package dev.postrider.testkit;

import dev.postrider.Outbox;

/** An open transaction of some store, for tests that decide when it ends. Used by one thread at a time. */
public interface OutboxTransaction extends AutoCloseable {

    /** The outbox that writes in this transaction. */
    Outbox outbox();

    /** Makes everything enqueued in this transaction visible. */
    void commit();

    /** Undoes everything enqueued in this transaction. */
    void rollback();

    /** Rolls back unless the transaction has ended. */
    @Override
    void close();
}
