package dev.postrider.verification.simulator;

import dev.postrider.MessageStatus;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** I1, I2, I6 and I10: nothing invented, nothing lost, nothing changed, nothing stuck. */
final class DeliveryRule implements Rule {

    private final History history;
    private final Findings findings;
    private final List<Row> rows = new ArrayList<>();

    /** What became of a message so far. */
    private static final class Row {
        private boolean committed;
        private boolean damaged;
        private boolean discarded;
        private boolean stored;
        private boolean storedTwice;
        private boolean replayed;
        private @Nullable MessageStatus status = MessageStatus.PENDING;
        private String reason = "";
    }

    DeliveryRule(History history, Findings findings) {
        this.history = history;
        this.findings = findings;
        history.messages().forEach(message -> rows.add(new Row()));
    }

    @Override
    public void follow(Fact fact) {
        switch (fact.kind()) {
            case COMMITTED -> row(fact).committed = true;
            case DAMAGED -> row(fact).damaged = true;
            case REPAIRED -> row(fact).damaged = false;
            case SENT -> {
                if (row(fact).damaged) {
                    findings.add(Invariant.INTACT, fact, "published although its row is damaged");
                }
            }
            case STORED -> stored(fact, row(fact));
            case DISCARDED -> row(fact).discarded = true;
            case REPLAYED -> row(fact).replayed = true;
            case STATE -> {
                MessageStatus status = fact.changeOrFail().to();
                // A purged row was delivered; whether it may be gone is a matter of its state.
                row(fact).status = status == null ? fact.changeOrFail().from() : status;
                row(fact).reason = fact.text();
            }
            case STEP_FAILED -> {
                if (fact.text().startsWith("BUG")) {
                    findings.add(Invariant.NO_EXCEPTION, fact, fact.text());
                }
            }
            case ENDED -> ended(fact);
            default -> {}
        }
    }

    private void stored(Fact fact, Row row) {
        if (!row.committed) {
            findings.add(Invariant.NO_PHANTOM, fact, "delivered although its transaction has not committed");
        }
        if (fact.a() != history.message(fact.message()).content()) {
            findings.add(Invariant.INTACT, fact, "delivered with another content");
        }
        row.storedTwice |= row.stored;
        row.stored = true;
    }

    private void ended(Fact fact) {
        if (fact.a() == 0) {
            findings.add(Invariant.LIVENESS, fact, "not drained in time");
        }
        for (PlannedMessage message : history.messages()) {
            Row row = rows.get(message.number() - 1);
            if (row.committed && !row.discarded) {
                ended(fact, message, row);
            }
        }
    }

    private void ended(Fact fact, PlannedMessage message, Row row) {
        if (row.status == MessageStatus.DELIVERED) {
            if (!row.stored) {
                findings.add(Invariant.NO_LOSS, fact, message, "DELIVERED but the broker never had it");
            }
        } else if (row.status == MessageStatus.DEAD) {
            if (row.reason.endsWith("null")) {
                findings.add(Invariant.NO_LOSS, fact, message, "DEAD without a reason");
            }
        } else if (!isBehindDead(message)) {
            findings.add(Invariant.NO_LOSS, fact, message, "left " + row.status);
        }
        if (history.plan().kind() == Plan.Kind.GRACEFUL && row.storedTwice && !row.replayed) {
            findings.add(Invariant.GRACEFUL, fact, message, "delivered twice although nothing went wrong");
        }
    }

    private boolean isBehindDead(PlannedMessage message) {
        return history.plan().blocksKey(message)
                && history.messages().stream()
                        .anyMatch(other -> other.topic().equals(message.topic())
                                && message.key() != null
                                && message.key().equals(other.key())
                                && rows.get(other.number() - 1).status == MessageStatus.DEAD
                                && !rows.get(other.number() - 1).discarded);
    }

    private Row row(Fact fact) {
        return rows.get(fact.message() - 1);
    }
}
