package dev.postrider.verification.simulator;

import dev.postrider.MessageStatus;
import dev.postrider.spi.Shards;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** I5: a message is sent at most once per claim, and claimed again only for a reason. */
final class ClaimRule implements Rule {

    private final History history;
    private final ShardView shards;
    private final Findings findings;
    private final Map<Integer, Row> rows = new HashMap<>();
    private final Map<Integer, Long> trouble = new HashMap<>();
    private final Map<Integer, Long> claimAnswerLost = new HashMap<>();

    // A call that is held up is noticed when it comes back, which may be after the claims it was to settle ran out.
    private final Map<Violation, Integer> unexplained = new HashMap<>();

    /** What is known of the claims on one row. */
    private static final class Row {
        private final Set<Long> claimed = new HashSet<>();
        private final Set<Long> sent = new HashSet<>();
        private boolean held;
        private long token;
        private int owner;
        private long epoch;
        private long at;
        private long until;
        private boolean waited;
    }

    ClaimRule(History history, ShardView shards, Findings findings) {
        this.history = history;
        this.shards = shards;
        this.findings = findings;
    }

    @Override
    public void follow(Fact fact) {
        switch (fact.kind()) {
            case CLAIMED -> claimed(fact, row(fact));
            case EXTENDED -> extended(fact, row(fact));
            case SENT -> sent(fact, row(fact));
            case STATE -> {
                Row row = row(fact);
                boolean held = fact.changeOrFail().to() == MessageStatus.CLAIMED;
                if (row.held && !held && fact.text().equals("claim")) {
                    explain(fact, row);
                }
                row.held = held;
            }
            case CRASHED, LEFT, STOPPED_BUSY -> trouble.put(fact.node(), fact.at());
            case FROZEN, SUSPENDED -> trouble.put(fact.node(), fact.b());
            case STEP_FAILED -> {
                // A claim that failed is repeated as it was; it explains no lost claim.
                if (!fact.text().equals("FETCH")) {
                    trouble.put(fact.node(), fact.at());
                }
            }
            case FAULT -> {
                if (fact.text().equals("SLOW") || fact.text().equals("held up")) {
                    trouble.merge(fact.node(), fact.at(), Math::max);
                }
                if (fact.text().equals("held up")) {
                    heldUp(fact);
                }
            }
            case ANSWER_LOST -> {
                if (fact.text().startsWith("claim")) {
                    claimAnswerLost.put(fact.node(), fact.at());
                }
            }
            default -> {}
        }
    }

    private void claimed(Fact fact, Row row) {
        if (row.held && row.token == fact.a()) {
            if (claimAnswerLost.getOrDefault(fact.node(), Long.MIN_VALUE) < row.at) {
                findings.add(Invariant.EXPLAINED, fact, "handed out twice under one token");
            }
        } else if (row.held) {
            explain(fact, row);
        }
        row.claimed.add(fact.a());
        row.held = true;
        row.token = fact.a();
        row.owner = fact.node();
        row.epoch = shards.epoch(shardOf(fact));
        row.at = fact.at();
        row.until = fact.b();
        row.waited = fact.text().equals("waiting");
    }

    private static void extended(Fact fact, Row row) {
        if (row.held && row.token == fact.a()) {
            row.until = fact.b();
        }
    }

    private void sent(Fact fact, Row row) {
        if (!row.claimed.contains(fact.a())) {
            findings.add(Invariant.EXPLAINED, fact, "sent without a claim");
        }
        if (!row.sent.add(fact.a())) {
            findings.add(Invariant.EXPLAINED, fact, "sent twice under one claim");
        }
    }

    private void explain(Fact fact, Row row) {
        boolean repeated = claimAnswerLost.getOrDefault(fact.node(), Long.MIN_VALUE) >= row.at;
        if (fact.kind() == Fact.Kind.STATE && fact.node() == row.owner && repeated) {
            // The claim was repeated after its answer was lost, and the key had been blocked in between.
            return;
        }
        boolean takenOver = shards.epoch(shardOf(fact)) > row.epoch;
        boolean expired = row.until <= fact.at();
        // A repeated claim of waiting messages has no place to go on from: what does not fit waits until it expires.
        boolean troubled = trouble.getOrDefault(row.owner, Long.MIN_VALUE) >= row.at
                || (row.waited && claimAnswerLost.getOrDefault(row.owner, Long.MIN_VALUE) >= row.at);
        if (!takenOver && !expired) {
            findings.add(Invariant.EXPLAINED, fact, "the claim of n%d was still good".formatted(row.owner));
        } else if (!takenOver && !troubled) {
            unexplained.put(
                    findings.add(
                            Invariant.EXPLAINED,
                            fact,
                            "n%d let its claim expire although it was well".formatted(row.owner)),
                    row.owner);
        }
    }

    private void heldUp(Fact fact) {
        unexplained.forEach((violation, owner) -> {
            if (owner == fact.node() && fact.b() <= violation.at()) {
                findings.withdraw(violation);
            }
        });
    }

    private int shardOf(Fact fact) {
        return Shards.of(history.message(fact.message()).message());
    }

    private Row row(Fact fact) {
        return rows.computeIfAbsent(fact.message(), number -> new Row());
    }
}
