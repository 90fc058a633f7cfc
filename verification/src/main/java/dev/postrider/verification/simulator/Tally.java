package dev.postrider.verification.simulator;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The results of many histories of the engine as it is. For one thread. */
final class Tally {

    private static final int CHECK_HASH_EVERY = 50;

    private final boolean strict;
    private final Coverage coverage = new Coverage();
    private final Map<Long, List<Violation>> violations = new TreeMap<>();
    private long histories;
    private long late;
    private long hashed;
    private long mismatches;
    private long virtualNanos;

    /** Counts order broken by late commits as a violation if {@code strict}. */
    Tally(boolean strict) {
        this.strict = strict;
    }

    void run(long seed) {
        History history = Simulation.run(seed, Mutant.NONE);
        List<Violation> found = Checker.check(history);
        List<Violation> serious = strict ? found : serious(found);
        if (!serious.isEmpty()) {
            violations.put(seed, serious);
        }
        late += serious(found).size() < found.size() ? 1 : 0;
        histories++;
        virtualNanos += history.facts().get(history.facts().size() - 1).at();
        coverage.add(history);
        if (seed % CHECK_HASH_EVERY == 0) {
            hashed++;
            mismatches += Simulation.run(seed, Mutant.NONE).hash() == history.hash() ? 0 : 1;
        }
    }

    static List<Violation> serious(List<Violation> found) {
        return found.stream()
                .filter(violation -> violation.invariant() != Invariant.LATE_COMMIT)
                .toList();
    }

    void addAll(Tally other) {
        histories += other.histories;
        late += other.late;
        hashed += other.hashed;
        mismatches += other.mismatches;
        virtualNanos += other.virtualNanos;
        violations.putAll(other.violations);
        coverage.addAll(other.coverage);
    }

    long histories() {
        return histories;
    }

    /** In how many histories a late commit broke the order of a key. */
    long late() {
        return late;
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
