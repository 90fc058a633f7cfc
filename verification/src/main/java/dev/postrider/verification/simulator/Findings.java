package dev.postrider.verification.simulator;

import java.util.ArrayList;
import java.util.List;

/** The violations found so far in one history. */
final class Findings {

    private final List<Violation> violations = new ArrayList<>();

    void add(Invariant invariant, Fact fact, String what) {
        violations.add(new Violation(invariant, fact.at(), fact.message(), what));
    }

    void add(Invariant invariant, Fact fact, PlannedMessage message, String what) {
        violations.add(new Violation(invariant, fact.at(), message.number(), what));
    }

    List<Violation> all() {
        return List.copyOf(violations);
    }
}
