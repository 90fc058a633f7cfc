package dev.postrider.spring.boot.observe;

import dev.postrider.EnqueueListener;
import dev.postrider.OutboxMessage;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ObjLongConsumer;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Counts messages by type once Spring's transaction has committed. A message that is enqueued on another connection
 * while a transaction of Spring is open counts with that transaction. Thread-safe.
 */
final class StoredMessages implements EnqueueListener {

    private static final int MOST_SAVEPOINTS = 1_000;

    private final ObjLongConsumer<String> counter;

    StoredMessages(ObjLongConsumer<String> counter) {
        this.counter = counter;
    }

    @Override
    public void enqueued(OutboxMessage message) {
        if (TransactionSynchronizationManager.isSynchronizationActive()) {
            counted().types.merge(message.type(), 1L, Long::sum);
        }
    }

    private Counted counted() {
        for (TransactionSynchronization known : TransactionSynchronizationManager.getSynchronizations()) {
            if (known instanceof Counted counted && counted.owner == this) {
                return counted;
            }
        }
        Counted added = new Counted(this);
        TransactionSynchronizationManager.registerSynchronization(added);
        return added;
    }

    /** How many messages of each type one transaction holds. Belongs to the thread of the transaction. */
    private static final class Counted implements TransactionSynchronization {

        private final StoredMessages owner;
        private final Deque<Savepoint> savepoints = new ArrayDeque<>();
        private Map<String, Long> types = new HashMap<>();

        Counted(StoredMessages owner) {
            this.owner = owner;
        }

        @Override
        public void savepoint(Object savepoint) {
            if (savepoints.size() == MOST_SAVEPOINTS) {
                savepoints.removeFirst();
            }
            savepoints.addLast(new Savepoint(savepoint, Map.copyOf(types)));
        }

        // A savepoint that is not known is older than the first message, so nothing of it is left.
        @Override
        public void savepointRollback(Object savepoint) {
            while (!savepoints.isEmpty() && savepoints.peekLast().savepoint() != savepoint) {
                savepoints.removeLast();
            }
            types = savepoints.isEmpty()
                    ? new HashMap<>()
                    : new HashMap<>(savepoints.peekLast().types());
        }

        @Override
        public void afterCompletion(int status) {
            if (status == STATUS_COMMITTED) {
                types.forEach(owner.counter::accept);
            }
        }
    }

    /** What a transaction held when it set a savepoint. */
    private record Savepoint(Object savepoint, Map<String, Long> types) {}
}
