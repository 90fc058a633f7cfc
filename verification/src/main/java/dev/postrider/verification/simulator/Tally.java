package dev.postrider.verification.simulator;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The results of many histories of the engine as it is. For one thread. */
final class Tally {

    private static final int CHECK_HASH_EVERY = 50;

    private final Coverage coverage = new Coverage();
    private final Map<Long, List<Violation>> violations = new TreeMap<>();
    private long histories;
    private long hashed;
    private long mismatches;
    private long virtualNanos;

    void run(long seed) {
        History history = Simulation.run(seed, Mutant.NONE);
        List<Violation> found = Checker.check(history);
        if (!found.isEmpty()) {
            violations.put(seed, found);
        }
        histories++;
        virtualNanos += history.facts().get(history.facts().size() - 1).at();
        coverage.add(history);
        if (seed % CHECK_HASH_EVERY == 0) {
            hashed++;
            mismatches += Simulation.run(seed, Mutant.NONE).hash() == history.hash() ? 0 : 1;
        }
    }

    void addAll(Tally other) {
        histories += other.histories;
        hashed += other.hashed;
        mismatches += other.mismatches;
        virtualNanos += other.virtualNanos;
        violations.putAll(other.violations);
        coverage.addAll(other.coverage);
    }

    long histories() {
        return histories;
    }

    /** How many histories were run twice. */
    long hashed() {
        return hashed;
    }

    /** How many of them differed from their first run. */
    long mismatches() {
        return mismatches;
    }

    double virtualHours() {
        return virtualNanos / 3.6e12;
    }

    Map<Long, List<Violation>> violations() {
        return new TreeMap<>(violations);
    }

    Coverage coverage() {
        return coverage;
    }
}
