package dev.postrider.testkit;

import dev.postrider.MessageLimits;
import dev.postrider.OutboxException;
import dev.postrider.OutboxMessage;
import dev.postrider.Receipt;
import dev.postrider.TenantPolicy;
import dev.postrider.spi.Writer;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Puts messages in, transaction by transaction. Ids are unique, and with them dedupe keys. Guarded by the store's lock.
 */
final class Enqueuing {

    private final Rows rows;
    private final MessageLimits limits;
    private final TenantPolicy tenantPolicy;
    private final Map<UUID, InMemoryTransaction> writers = new HashMap<>();
    private final Map<InMemoryTransaction, Writer> open = new LinkedHashMap<>();
    private long lastSeq;
    private long lastWriter;

    Enqueuing(Rows rows, MessageLimits limits, TenantPolicy tenantPolicy) {
        this.rows = rows;
        this.limits = limits;
        this.tenantPolicy = tenantPolicy;
    }

    void check(List<OutboxMessage> messages) {
        messages.forEach(limits::check);
        messages.forEach(tenantPolicy::check);
    }

    /**
     * Tells whether an open transaction of somebody else may still insert the same message.
     *
     * @throws OutboxException if that somebody is the same thread, which would wait for itself
     */
    boolean mustWait(InMemoryTransaction transaction, OutboxMessage message) {
        InMemoryTransaction writer = writers.get(message.id());
        if (writer == null || writer == transaction || !writer.isOpen()) {
            return false;
        }
        if (writer.isOfCurrentThread()) {
            throw new OutboxException(
                    "Could not enqueue %s: another open transaction of this thread has enqueued it".formatted(message));
        }
        return true;
    }

    // The sequence is taken here and not at commit, so that rows can become visible out of order, as in a database.
    Receipt enqueue(InMemoryTransaction transaction, OutboxMessage message, Instant now) {
        UUID id = message.id();
        InMemoryTransaction writer = writers.putIfAbsent(id, transaction);
        if (writer == null) {
            open.computeIfAbsent(transaction, ignored -> new Writer("transaction " + ++lastWriter, false));
            transaction.add(new Row(++lastSeq, message, now));
            return new Receipt(id, true);
        }
        if (message.dedupeKey().isEmpty()) {
            throw new OutboxException("Could not enqueue %s: its id is taken".formatted(message));
        }
        return new Receipt(id, false);
    }

    /** Returns the open transactions that have drawn a sequence. */
    Set<Writer> writers() {
        return Set.copyOf(open.values());
    }

    void commit(InMemoryTransaction transaction) {
        open.remove(transaction);
        transaction.rows().forEach(rows::add);
    }

    void rollback(InMemoryTransaction transaction) {
        open.remove(transaction);
        transaction.rows().forEach(this::forget);
    }

    void forget(Row row) {
        @Nullable InMemoryTransaction ignored = writers.remove(row.message.id());
    }
}
