package dev.postrider.testkit;

import dev.postrider.Outbox;
import dev.postrider.OutboxException;
import dev.postrider.OutboxMessage;
import dev.postrider.Receipt;
import dev.postrider.spi.MessagePublisher;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * An outbox for tests of code that enqueues: it writes in the transaction the current thread has begun, as an outbox
 * under a transaction manager does, and remembers every transaction. Thread-safe.
 */
public final class InMemoryOutbox implements Outbox {

    private final InMemoryOutboxStore store;
    private final List<InMemoryTransaction> transactions = new CopyOnWriteArrayList<>();

    /** Writes to {@code store}. */
    public InMemoryOutbox(InMemoryOutboxStore store) {
        this.store = store;
    }

    /** Where the messages are. */
    public InMemoryOutboxStore store() {
        return store;
    }

    /** Begins the transaction of the current thread. */
    public InMemoryTransaction begin() {
        if (current().isPresent()) {
            throw new OutboxException("This thread has begun a transaction before; end it first");
        }
        InMemoryTransaction begun = store.begin();
        transactions.add(begun);
        return begun;
    }

    /** Runs the work in a transaction of its own; whatever it throws rolls back. */
    public <T extends @Nullable Object> T inTransaction(Callable<T> work) throws Exception {
        try (InMemoryTransaction transaction = begin()) {
            T result = work.call();
            transaction.commit();
            return result;
        }
    }

    /** Enqueues in a transaction of its own. */
    public List<Receipt> enqueueAndCommit(OutboxMessage... messages) {
        try (InMemoryTransaction transaction = begin()) {
            List<Receipt> receipts = transaction.enqueueAll(List.of(messages));
            transaction.commit();
            return receipts;
        }
    }

    @Override
    public Receipt enqueue(OutboxMessage message) {
        return transaction().enqueue(message);
    }

    @Override
    public List<Receipt> enqueueAll(List<OutboxMessage> messages) {
        return transaction().enqueueAll(messages);
    }

    /** Every transaction that was begun here, in order. */
    public List<InMemoryTransaction> transactions() {
        return List.copyOf(transactions);
    }

    /** What was enqueued in transactions that were not rolled back, in order. */
    public List<OutboxMessage> messages() {
        return transactions.stream()
                .flatMap(transaction -> transaction.messages().stream())
                .toList();
    }

    /**
     * Hands everything that can be delivered now to the publisher, message by message, as a relay would: a message that
     * fails blocks its key for a second and dies after 20 attempts. A test that needs more runs a real relay.
     *
     * @return how many messages were acked
     */
    public int deliverAll(MessagePublisher publisher) {
        return new InlineRelay(store, publisher).deliverAll();
    }

    private InMemoryTransaction transaction() {
        return current()
                .orElseThrow(() -> new OutboxException("There is no open transaction: begin one before enqueueing"));
    }

    private Optional<InMemoryTransaction> current() {
        return transactions.stream()
                .filter(transaction -> transaction.isOpen() && transaction.isOfCurrentThread())
                .findFirst();
    }
}
