package dev.postrider.verification.simulator;

import java.util.List;

/** Runs histories. */
public final class Simulator {

    private Simulator() {}

    /** See {@code ./verification/run --help}. */
    public static void main(String[] arguments) {
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
