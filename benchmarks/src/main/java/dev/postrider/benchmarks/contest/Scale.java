package dev.postrider.benchmarks.contest;

import dev.postrider.benchmarks.contenders.Entrant;

/**
 * How much is measured.
 *
 * @param rounds how often everything is repeated
 * @param messages what a fast contender drains
 * @param peerMessages what a contender drains that handles every message in a transaction of its own: its rate does not
 *     depend on the number, only the time until it is known
 * @param slices how often a transaction without and one with an enqueue take turns
 * @param sliceMillis how long each turn is
 * @param latencySeconds how long messages are committed at a steady rate
 * @param warmUpSeconds how long a contender works at least before it counts: until the compiler is done, it takes the
 *     processor from whoever is measured
 * @param crowd other rows in a table
 * @param steadySeconds how long the steady state is watched
 */
record Scale(
        int rounds,
        int messages,
        int peerMessages,
        int slices,
        int sliceMillis,
        int latencySeconds,
        int warmUpSeconds,
        int crowd,
        int steadySeconds) {

    static final Scale FULL = new Scale(3, 100_000, 10_000, 20, 100, 10, 10, 1_000_000, 600);
    static final Scale QUICK = new Scale(1, 25_000, 2_500, 15, 100, 3, 2, 100_000, 20);

    Scale withRounds(int count) {
        return new Scale(
                count,
                messages,
                peerMessages,
                slices,
                sliceMillis,
                latencySeconds,
                warmUpSeconds,
                crowd,
                steadySeconds);
    }

    int messages(Entrant entrant) {
        if (entrant.is(Entrant.Trait.SLOW)) {
            return peerMessages / 10;
        }
        return entrant.peer() && !entrant.is(Entrant.Trait.LOGICAL_LOG) ? peerMessages : messages;
    }
}
