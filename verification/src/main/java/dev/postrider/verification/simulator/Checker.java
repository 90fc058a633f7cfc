package dev.postrider.verification.simulator;

import java.util.List;

/** Judges a history. Pure: it looks at nothing else, and the same history has the same violations. */
final class Checker {

    private Checker() {}

    static List<Violation> check(History history) {
        Findings findings = new Findings();
        ShardView shards = new ShardView();
        List<Rule> rules = List.of(
                new OwnershipRule(history, shards, findings),
                new SendRule(history, shards, findings),
                new StateRule(history, shards, findings),
                new DeliveryRule(history, findings),
                new OrderRule(history, findings),
                new QuarantineRule(history, findings),
                new ProgressRule(history, findings));
        for (Fact fact : history.facts()) {
            for (Rule rule : rules) {
                rule.follow(fact);
            }
            shards.follow(fact);
        }
        return findings.all();
    }
}
