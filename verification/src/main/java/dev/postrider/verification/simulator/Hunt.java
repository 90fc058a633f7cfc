package dev.postrider.verification.simulator;

import java.util.List;

/**
 * How a mutant was found, or not.
 *
 * @param histories how many were needed
 * @param violations what the last of them violated; empty if the mutant was not found
 */
record Hunt(Mutant mutant, long histories, List<Violation> violations) {

    private static final long LIMIT = 20_000;

    Hunt {
        violations = List.copyOf(violations);
    }

    /** Runs histories until the checker notices. */
    static Hunt of(Mutant mutant) {
        for (long seed = 0; seed < LIMIT; seed++) {
            List<Violation> found = Checker.check(Simulation.run(seed, mutant));
            if (!found.isEmpty()) {
                return new Hunt(mutant, seed + 1, found);
            }
        }
        return new Hunt(mutant, LIMIT, List.of());
    }

    boolean found() {
        return !violations.isEmpty();
    }

    @Override
    public String toString() {
        String by = String.join(
                ", ",
                violations.stream()
                        .map(found -> found.invariant().id())
                        .distinct()
                        .toList());
        return "%-26s %9d  %s".formatted(mutant, histories, found() ? by : "NOT FOUND");
    }
}
