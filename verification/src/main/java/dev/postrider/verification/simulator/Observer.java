package dev.postrider.verification.simulator;

import dev.postrider.MessageStatus;
import dev.postrider.admin.OutboxAdmin;
import dev.postrider.admin.StoredMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Looks at the table after everything that may have changed it, and writes down what did. */
final class Observer {

    private final OutboxAdmin table;
    private final History history;
    private final LongSupplier clock;
    private final List<Seen> rows = new ArrayList<>();

    /** A row as it was last seen. */
    private static final class Seen {
        private final PlannedMessage message;
        private final long seq;
        private MessageStatus status = MessageStatus.PENDING;
        private int attempts;

        private Seen(PlannedMessage message, long seq) {
            this.message = message;
            this.seq = seq;
        }
    }

    Observer(OutboxAdmin table, History history, LongSupplier clock) {
        this.table = table;
        this.history = history;
        this.clock = clock;
    }

    void note(Fact.Kind kind, int node, int message, String text) {
        note(kind, node, message, 0, 0, text);
    }

    void note(Fact.Kind kind, int node, int message, long a, long b, String text) {
        if (message != PlannedMessage.FILLER) {
            history.add(new Fact(clock.getAsLong(), kind, node, message, a, b, text, null));
        }
    }

    long now() {
        return clock.getAsLong();
    }

    void committed(PlannedMessage message) {
        long seq = table.find(message.message().id()).map(StoredMessage::seq).orElse(-1L);
        note(Fact.Kind.COMMITTED, Fact.NOBODY, message.number(), seq, 0, "");
        rows.add(new Seen(message, seq));
    }

    /** Notes every row that changed. */
    void look(int node, String cause) {
        rows.removeIf(row -> changed(row, node, cause));
    }

    /** Returns the sequences of the rows that are in the table. */
    List<Long> seqs() {
        return rows.stream().map(row -> row.seq).toList();
    }

    /** Returns whether every row is delivered, dead, or behind a dead one. */
    boolean isDrained() {
        look(Fact.NOBODY, "unseen");
        return rows.stream().allMatch(this::isAtItsEnd);
    }

    boolean anyDead() {
        return rows.stream().anyMatch(row -> row.status == MessageStatus.DEAD);
    }

    private boolean isAtItsEnd(Seen row) {
        return row.status == MessageStatus.DELIVERED
                || row.status == MessageStatus.DEAD
                || (row.status == MessageStatus.PENDING && isBehindDead(row));
    }

    private boolean isBehindDead(Seen row) {
        return history.plan().blocksKey(row.message)
                && rows.stream()
                        .anyMatch(other -> other.status == MessageStatus.DEAD
                                && other.message.topic().equals(row.message.topic())
                                && row.message.key() != null
                                && row.message.key().equals(other.message.key()));
    }

    private boolean changed(Seen row, int node, String cause) {
        Optional<StoredMessage> found = table.find(row.message.message().id())
                .filter(stored -> PlannedMessage.numberOf(stored.message()) == row.message.number());
        if (found.isEmpty()) {
            changed(row, node, cause, new Change(row.status, null, row.attempts, row.attempts));
            return true;
        }
        StoredMessage stored = found.get();
        // A message in flight is shown as CLAIMED with one attempt more; its row is PENDING.
        boolean inFlight = stored.status() == MessageStatus.CLAIMED;
        MessageStatus status = inFlight ? MessageStatus.PENDING : stored.status();
        int attempts = inFlight ? stored.attempts() - 1 : stored.attempts();
        if (status != row.status || attempts != row.attempts) {
            String reason = status == MessageStatus.DEAD ? cause + ": " + stored.lastError() : cause;
            changed(row, node, reason, new Change(row.status, status, row.attempts, attempts));
            row.status = status;
            row.attempts = attempts;
        }
        return false;
    }

    private void changed(Seen row, int node, String cause, Change change) {
        history.add(Fact.changed(clock.getAsLong(), node, row.message.number(), cause, change));
    }
}
