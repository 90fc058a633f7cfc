package dev.postrider.verification.simulator;

import java.util.List;

/** Runs histories. */
public final class Simulator {

    private Simulator() {}

    /** See {@code ./verification/run --help}. */
    public static void main(String[] arguments) {
        if (arguments[0].equals("mutants")) {
            for (Mutant mutant : Mutant.values()) {
                for (long seed = 0; seed < 5000; seed++) {
                    List<Violation> found = Checker.check(Simulation.run(seed, mutant)).stream().filter(v -> v.invariant() != Invariant.LATE_COMMIT).toList();
                    if (!found.isEmpty()) {
                        System.out.println(mutant + " " + seed + " " + found.get(0) + " " + found.stream().map(v -> v.invariant().id()).distinct().toList());
                        break;
                    }
                    if (seed == 4999) System.out.println(mutant + " NOT FOUND");
                }
            }
            return;
        }
        long from = Long.parseLong(arguments[0]);
        long to = Long.parseLong(arguments[1]);
        long begin = System.nanoTime();
        int shown = 0;
        java.util.Map<String, Integer> counts = new java.util.TreeMap<>();
        for (long seed = from; seed < to; seed++) {
            History history = Simulation.run(seed, Mutant.NONE);
            List<Violation> violations = Checker.check(history);
            violations.stream().map(v -> v.invariant().id() + v.what().replaceAll("[0-9].*", "")).distinct().forEach(v -> counts.merge(v, 1, Integer::sum));
            if (violations.stream().anyMatch(v -> v.invariant() != Invariant.LATE_COMMIT) && shown++ < 15) {
                System.out.println("seed " + seed + " " + history.plan().kind() + " " + violations);
            }
            if (to - from == 1) {
                history.facts().forEach(System.out::println);
                history.messages().forEach(System.out::println);
                System.out.println(violations);
            }
        }
        System.out.println(counts);
        System.out.printf("%.1f ms per history%n", (System.nanoTime() - begin) / 1e6 / (to - from));
    }
}
