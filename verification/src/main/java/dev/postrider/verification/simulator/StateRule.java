package dev.postrider.verification.simulator;

import dev.postrider.MessageStatus;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.Settlement;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** I7: rows change along the documented edges, and for the reason the edge stands for. */
final class StateRule implements Rule {

    private final Findings findings;
    private final Map<Integer, Row> rows = new HashMap<>();
    private final long timeout;

    /** What is known of a row and of its present claim. */
    private static final class Row {
        private long token;
        private boolean claimedNow;
        private long sentAt = Long.MAX_VALUE;
        private final Set<PublishResult.Kind> answers = EnumSet.noneOf(PublishResult.Kind.class);
        private @Nullable MessageStatus status = MessageStatus.PENDING;
        private int trials;
        private boolean operated;
        private boolean damaged;

        private Settlement.@Nullable Outcome asked;
    }

    StateRule(History history, Findings findings) {
        this.findings = findings;
        long nanos = history.plan().relay().times().publishTimeout().toNanos();
        this.timeout = nanos * (1_000 - Plan.DRIFT) / 1_000;
    }

    @Override
    public void follow(Fact fact) {
        if (fact.message() == Fact.NOBODY) {
            return;
        }
        Row row = rows.computeIfAbsent(fact.message(), number -> new Row());
        switch (fact.kind()) {
            case CLAIMED -> claimed(fact, row);
            case SENT -> {
                if (fact.a() == row.token) {
                    row.sentAt = fact.at();
                }
            }
            case ANSWERED -> {
                if (fact.a() == row.token) {
                    row.answers.add(PublishResult.Kind.valueOf(fact.text()));
                }
            }
            case DAMAGED -> row.damaged = true;
            case REPAIRED -> row.damaged = false;
            case TRIAL -> row.trials++;
            case SETTLE -> asked(fact, row);
            case REQUEUED, REPLAYED, DISCARDED -> row.operated = true;
            case STATE -> changed(fact, row);
            default -> {}
        }
    }

    private void claimed(Fact fact, Row row) {
        if (row.status == MessageStatus.DELIVERED || row.status == MessageStatus.DEAD) {
            findings.add(Invariant.STATES, fact, "claimed although it was " + row.status);
        }
        if (row.token != fact.a()) {
            row.answers.clear();
            row.sentAt = Long.MAX_VALUE;
        }
        row.token = fact.a();
        row.claimedNow = true;
        row.asked = null;
    }

    // The last word on the current claim; asking with another token must have no effect.
    private static void asked(Fact fact, Row row) {
        if (row.status == MessageStatus.CLAIMED && row.token == fact.a()) {
            row.asked = Settlement.Outcome.valueOf(fact.text());
        }
    }

    private void changed(Fact fact, Row row) {
        String cause = fact.text();
        if (fact.changeOrFail().to() == null) {
            gone(fact, row);
        } else if (cause.equals("claim")) {
            byClaim(fact, row);
        } else if (cause.startsWith("settle")) {
            bySettle(fact, row);
        } else if (cause.startsWith("operator")) {
            byOperator(fact, row);
        } else {
            findings.add(Invariant.STATES, fact, "changed by nobody: " + fact);
        }
        row.status = fact.changeOrFail().to();
        row.claimedNow = false;
        row.asked = null;
        row.operated = false;
    }

    private void byClaim(Fact fact, Row row) {
        int rise = fact.changeOrFail().rise();
        if (is(fact, MessageStatus.PENDING, MessageStatus.CLAIMED)) {
            require(rise == 1 && row.claimedNow, fact, "a claim counts once and is handed out");
        } else if (is(fact, MessageStatus.CLAIMED, MessageStatus.PENDING)) {
            require(rise == -1, fact, "a lost claim that goes behind gives its attempt back");
        } else {
            findings.add(Invariant.STATES, fact, "no claim leads here: " + fact);
        }
    }

    private void bySettle(Fact fact, Row row) {
        Settlement.Outcome asked = row.asked;
        if (asked == null) {
            findings.add(Invariant.OWNERSHIP, fact, "settled without the claim: " + fact);
            return;
        }
        int rise = fact.changeOrFail().rise();
        switch (asked) {
            case DELIVERED -> {
                requireEdge(fact, MessageStatus.DELIVERED, rise, 0);
                require(row.answers.contains(PublishResult.Kind.ACKED), fact, "delivered without an ack");
            }
            case RETRY -> {
                requireEdge(fact, MessageStatus.PENDING, rise, 0);
                require(failed(fact, row), fact, "an attempt was used up although the broker refused nothing");
            }
            case DEAD -> {
                requireEdge(fact, MessageStatus.DEAD, rise, 0);
                require(mayDie(fact, row), fact, "dead without a reason: " + fact.text());
            }
            case RELEASED, BEHIND -> requireEdge(fact, MessageStatus.PENDING, rise, -1);
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
        require(discarded || purged, fact, "the row vanished: " + fact);
    }

    private boolean failed(Fact fact, Row row) {
        return row.answers.contains(PublishResult.Kind.FAILED)
                || (row.sentAt != Long.MAX_VALUE && fact.at() - row.sentAt >= timeout);
    }

    private boolean mayDie(Fact fact, Row row) {
        return row.answers.contains(PublishResult.Kind.REJECTED)
                || (failed(fact, row) && fact.changeOrFail().attemptsTo() >= Plan.MAX_ATTEMPTS)
                || (fact.text().contains("Quarantined") && row.trials > 0)
                || (fact.text().endsWith("damaged") && row.damaged);
    }

    private void requireEdge(Fact fact, MessageStatus to, int rise, int expected) {
        require(
                is(fact, MessageStatus.CLAIMED, to) && rise == expected,
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
