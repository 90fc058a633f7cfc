package dev.postrider.verification.simulator;

import java.util.ArrayList;
import java.util.List;

/** The violations found so far in one history. */
final class Findings {

    private final List<Violation> violations = new ArrayList<>();

    Violation add(Invariant invariant, Fact fact, String what) {
        Violation violation = new Violation(invariant, fact.at(), fact.message(), what);
        violations.add(violation);
        return violation;
    }

    void add(Invariant invariant, Fact fact, PlannedMessage message, String what) {
        violations.add(new Violation(invariant, fact.at(), message.number(), what));
    }

    /** Takes back what a later fact has explained. */
    void withdraw(Violation violation) {
        violations.remove(violation);
    }

    List<Violation> all() {
        return List.copyOf(violations);
    }
}
