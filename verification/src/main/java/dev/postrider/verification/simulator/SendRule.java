package dev.postrider.verification.simulator;

import dev.postrider.spi.PublishResult;
import dev.postrider.spi.Shards;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** I5: a message is sent at most once for each fetch of it, and sent again only for a reason. */
final class SendRule implements Rule {

    private final History history;
    private final ShardView shards;
    private final Findings findings;
    private final Map<Integer, Row> rows = new HashMap<>();
    private final long timeout;

    /** What is known of the fetches and sends of one message; the last fields are of the last send. */
    private static final class Row {
        private final Map<Long, Long> epochs = new HashMap<>();
        private final Set<Long> sent = new HashSet<>();
        private boolean everSent;
        private boolean answered;
        private boolean mayGoAgain;
        private long token;
        private long epoch;
        private long at;
    }

    SendRule(History history, ShardView shards, Findings findings) {
        this.history = history;
        this.shards = shards;
        this.findings = findings;
        this.timeout = history.plan().shortestTimeout();
    }

    @Override
    public void follow(Fact fact) {
        switch (fact.kind()) {
            case FETCHED -> row(fact).epochs.put(fact.a(), fact.b());
            case SENT -> sent(fact, row(fact));
            case ANSWERED -> answered(fact, row(fact));
            case THREW -> {
                if (row(fact).token == fact.a()) {
                    row(fact).mayGoAgain = true;
                }
            }
            case STATE, REQUEUED, REPLAYED -> row(fact).mayGoAgain = true;
            default -> {}
        }
    }

    private void sent(Fact fact, Row row) {
        if (!row.epochs.containsKey(fact.a())) {
            findings.add(Invariant.FETCHED_BEFORE_SENT, fact, "sent without a fetch");
        } else if (!row.sent.add(fact.a())) {
            findings.add(Invariant.EXPLAINED, fact, "sent twice after one fetch");
        } else if (row.everSent && !isExplained(fact, row)) {
            findings.add(Invariant.EXPLAINED, fact, "sent again without a reason");
        }
        row.everSent = true;
        row.answered = false;
        row.mayGoAgain = false;
        row.token = fact.a();
        row.epoch = epoch(fact, row);
        row.at = fact.at();
    }

    private boolean isExplained(Fact fact, Row row) {
        boolean silent = !row.answered && fact.at() - row.at >= timeout;
        return row.mayGoAgain || silent || epoch(fact, row) != row.epoch;
    }

    // Only the first answer for each send counts.
    private static void answered(Fact fact, Row row) {
        if (row.token == fact.a() && !row.answered) {
            row.answered = true;
            row.mayGoAgain |= !fact.text().equals(PublishResult.Kind.ACKED.name());
        }
    }

    private long epoch(Fact fact, Row row) {
        Long epoch = row.epochs.get(fact.a());
        return epoch == null
                ? shards.epoch(Shards.of(history.message(fact.message()).message()))
                : epoch;
    }

    private Row row(Fact fact) {
        return rows.computeIfAbsent(fact.message(), number -> new Row());
    }
}
