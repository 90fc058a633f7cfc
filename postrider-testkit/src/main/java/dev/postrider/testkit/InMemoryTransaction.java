package dev.postrider.testkit;

import dev.postrider.Outbox;
import dev.postrider.OutboxException;
import dev.postrider.OutboxMessage;
import dev.postrider.Receipt;
import java.util.ArrayList;
import java.util.List;

/** A transaction of an {@link InMemoryOutboxStore} and the outbox bound to it. Used by one thread at a time. */
public final class InMemoryTransaction implements Outbox, OutboxTransaction {

    private enum State {
        OPEN,
        COMMITTED,
        ROLLED_BACK
    }

    private final InMemoryOutboxStore store;
    private final Thread thread = Thread.currentThread();
    private final List<Row> rows = new ArrayList<>();
    private volatile State state = State.OPEN;

    InMemoryTransaction(InMemoryOutboxStore store) {
        this.store = store;
    }

    @Override
    public Receipt enqueue(OutboxMessage message) {
        return enqueueAll(List.of(message)).get(0);
    }

    @Override
    public List<Receipt> enqueueAll(List<OutboxMessage> messages) {
        requireOpen();
        return store.enqueue(this, messages);
    }

    @Override
    public Outbox outbox() {
        return this;
    }

    @Override
    public void commit() {
        requireOpen();
        state = State.COMMITTED;
        store.commit(this);
    }

    @Override
    public void rollback() {
        requireOpen();
        state = State.ROLLED_BACK;
        store.rollback(this);
    }

    @Override
    public void close() {
        if (isOpen()) {
            rollback();
        }
    }

    /** Tells whether it can still be written to. */
    public boolean isOpen() {
        return state == State.OPEN;
    }

    /** Tells whether it has committed. */
    public boolean isCommitted() {
        return state == State.COMMITTED;
    }

    /** What was inserted in this transaction, in order; empty after a rollback. */
    public List<OutboxMessage> messages() {
        if (state == State.ROLLED_BACK) {
            return List.of();
        }
        return rows.stream().map(row -> row.message).toList();
    }

    boolean isOfCurrentThread() {
        return Thread.currentThread().equals(thread);
    }

    void add(Row row) {
        rows.add(row);
    }

    List<Row> rows() {
        return rows;
    }

    private void requireOpen() {
        if (!isOpen()) {
            throw new OutboxException("The transaction is not open but " + state);
        }
    }
}
