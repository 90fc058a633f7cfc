package dev.postrider.verification.simulator;

import java.util.List;

/**
 * How a mutant was found, or not.
 *
 * @param histories how many were needed until the invariant that the mutant breaks was violated
 * @param violations what the last of them violated; empty if the mutant was not found
 */
record Hunt(Mutant mutant, long histories, List<Violation> violations) {

    private static final long LIMIT = 20_000;

    Hunt {
        violations = List.copyOf(violations);
    }

    /** Runs histories until the checker names the invariant that the mutant breaks. */
    static Hunt of(Mutant mutant) {
        for (long seed = 0; seed < LIMIT; seed++) {
            List<Violation> violations = Checker.check(Simulation.run(seed, mutant));
            if (violations.stream().anyMatch(violation -> violation.invariant() == mutant.broken())) {
                return new Hunt(mutant, seed + 1, violations);
            }
        }
        return new Hunt(mutant, LIMIT, List.of());
    }

    boolean found() {
        return !violations.isEmpty();
    }

    @Override
    public String toString() {
        Invariant broken = mutant.broken();
        String others = String.join(
                ", ",
                violations.stream()
                        .map(Violation::invariant)
                        .filter(invariant -> invariant != broken)
                        .map(Invariant::id)
                        .distinct()
                        .toList());
        String by = broken != null && found() ? broken.id() : "NOT FOUND";
        return "%-26s %9d  %-10s %s".formatted(mutant, histories, by, others);
    }
}
