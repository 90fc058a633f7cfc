package dev.postrider.verification.simulator;

import dev.postrider.MessageStatus;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Shards;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** I7 and I8c: rows change along the documented edges, for the reason the edge stands for, and by their owner. */
final class StateRule implements Rule {

    private final History history;
    private final ShardView shards;
    private final Findings findings;
    private final Map<Integer, Row> rows = new HashMap<>();
    private final long timeout;

    /** What is known of a row. */
    private static final class Row {
        private final Map<Long, Sending> sendings = new HashMap<>();
        private @Nullable MessageStatus status = MessageStatus.PENDING;
        private int trials;
        private boolean operated;
        private boolean damaged;

        private @Nullable Fact asked;
    }

    /** What came of one send. */
    private static final class Sending {
        private long at = Long.MAX_VALUE;
        private boolean threwWithOthers;
        private final Set<PublishResult.Kind> answers = EnumSet.noneOf(PublishResult.Kind.class);
    }

    StateRule(History history, ShardView shards, Findings findings) {
        this.history = history;
        this.shards = shards;
        this.findings = findings;
        this.timeout = history.plan().shortestTimeout();
    }

    @Override
    public void follow(Fact fact) {
        if (fact.message() == Fact.NOBODY) {
            return;
        }
        Row row = rows.computeIfAbsent(fact.message(), number -> new Row());
        switch (fact.kind()) {
            case FETCHED -> require(row.status == MessageStatus.PENDING, fact, "fetched although it was " + row.status);
            case SENT -> sending(row, fact).at = fact.at();
            case ANSWERED -> sending(row, fact).answers.add(PublishResult.Kind.valueOf(fact.text()));
            case THREW -> sending(row, fact).threwWithOthers = fact.b() > 1;
            case DAMAGED -> row.damaged = true;
            case REPAIRED -> row.damaged = false;
            case TRIAL -> row.trials++;
            case SETTLE -> row.asked = fact;
            case REQUEUED, REPLAYED, DISCARDED -> row.operated = true;
            case STATE -> changed(fact, row);
            default -> {}
        }
    }

    private static Sending sending(Row row, Fact fact) {
        return row.sendings.computeIfAbsent(fact.a(), token -> new Sending());
    }

    private void changed(Fact fact, Row row) {
        String cause = fact.text();
        if (fact.changeOrFail().to() == null) {
            gone(fact, row);
        } else if (cause.startsWith("settle")) {
            bySettle(fact, row);
        } else if (cause.startsWith("operator")) {
            byOperator(fact, row);
        } else {
            findings.add(Invariant.STATES, fact, "changed by nobody: " + fact);
        }
        row.status = fact.changeOrFail().to();
        row.operated = false;
    }

    // Every request is noted just before its effect, so the last one is the one that was written.
    private void bySettle(Fact fact, Row row) {
        Fact asked = row.asked;
        if (asked == null) {
            findings.add(Invariant.STATES, fact, "settled although no relay has asked: " + fact);
            return;
        }
        int shard = Shards.of(history.message(fact.message()).message());
        if (shards.owner(shard) != asked.node() || shards.epoch(shard) != asked.b()) {
            findings.add(Invariant.FENCED, fact, "written by a relay that had lost the shard: " + fact);
        }
        Sending sending = sending(row, asked);
        switch (Settlement.Outcome.valueOf(asked.text())) {
            case DELIVERED -> {
                requireEdge(fact, MessageStatus.DELIVERED);
                require(sending.answers.contains(PublishResult.Kind.ACKED), fact, "delivered without an ack");
            }
            case RETRY -> {
                requireEdge(fact, MessageStatus.PENDING);
                require(failed(fact, sending), fact, "an attempt was used up although the broker refused nothing");
            }
            case DEAD -> {
                requireEdge(fact, MessageStatus.DEAD);
                if (!mayDie(fact, row, sending)) {
                    findings.add(Invariant.DEATH_EXPLAINED, fact, "dead without a reason: " + fact.text());
                }
            }
            case RELEASED, BEHIND ->
                findings.add(Invariant.STATES, fact, "this outcome changes neither status nor attempts: " + fact);
        }
    }

    private void byOperator(Fact fact, Row row) {
        boolean anew = is(fact, MessageStatus.DEAD, MessageStatus.PENDING)
                || is(fact, MessageStatus.DELIVERED, MessageStatus.PENDING);
        require(anew && row.operated && fact.changeOrFail().attemptsTo() == 0, fact, "no person may do this: " + fact);
    }

    private void gone(Fact fact, Row row) {
        MessageStatus last = fact.changeOrFail().from();
        boolean discarded = fact.text().equals("operator") && last == MessageStatus.DEAD && row.operated;
        boolean purged = fact.text().equals("purge") && last == MessageStatus.DELIVERED;
        if (!discarded && !purged) {
            findings.add(Invariant.ROW_KEPT, fact, "the row vanished: " + fact);
        }
    }

    // A message that was in a wave which threw goes again, apart from the others.
    private boolean failed(Fact fact, Sending sending) {
        return sending.answers.contains(PublishResult.Kind.FAILED)
                || (!sending.threwWithOthers && sending.at != Long.MAX_VALUE && fact.at() - sending.at >= timeout);
    }

    private boolean mayDie(Fact fact, Row row, Sending sending) {
        return sending.answers.contains(PublishResult.Kind.REJECTED)
                || (failed(fact, sending) && fact.changeOrFail().attemptsTo() >= Plan.MAX_ATTEMPTS)
                || (fact.text().contains("Quarantined") && row.trials > 0)
                || (fact.text().endsWith("damaged") && row.damaged);
    }

    // Every outcome that changes the status counts an attempt.
    private void requireEdge(Fact fact, MessageStatus to) {
        require(
                is(fact, MessageStatus.PENDING, to) && fact.changeOrFail().rise() == 1,
                fact,
                "this outcome does not lead here: " + fact);
    }

    private void require(boolean holds, Fact fact, String what) {
        if (!holds) {
            findings.add(Invariant.STATES, fact, what);
        }
    }

    private static boolean is(Fact fact, MessageStatus from, MessageStatus to) {
        return fact.changeOrFail().is(from, to);
    }
}
