package dev.postrider.verification.simulator;

import java.util.HashMap;
import java.util.Map;

/** P-a: at the limits of the engine, a message that may be sent arrives within a bounded time. */
final class ProgressRule implements Rule {

    private final History history;
    private final Findings findings;
    private final Map<Integer, Long> sendable = new HashMap<>();

    ProgressRule(History history, Findings findings) {
        this.history = history;
        this.findings = findings;
    }

    @Override
    public void follow(Fact fact) {
        if (history.plan().kind() != Plan.Kind.LIMITS) {
            return;
        }
        switch (fact.kind()) {
            case COMMITTED -> {
                PlannedMessage message = history.message(fact.message());
                sendable.put(
                        fact.message(),
                        fact.at() + message.message().deliverAfter().toNanos());
            }
            case STORED -> {
                Long since = sendable.remove(fact.message());
                if (since != null) {
                    judge(fact, history.message(fact.message()), since, "arrived");
                }
            }
            case ENDED ->
                sendable.forEach((number, since) -> judge(fact, history.message(number), since, "had not arrived"));
            default -> {}
        }
    }

    private void judge(Fact fact, PlannedMessage message, long since, String what) {
        boolean late = "late".equals(message.key());
        long took = fact.at() - since;
        if (took > history.plan().limits().bound(late, history.plan().relay().batchSize())) {
            findings.add(
                    Invariant.PROGRESS,
                    fact,
                    message,
                    "%s after %.1f s in %s"
                            .formatted(what, took / 1e9, history.plan().limits()));
        }
    }
}
