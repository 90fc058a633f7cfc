package dev.postrider.benchmarks.contest;

import dev.postrider.benchmarks.contenders.Entrant;

/**
 * One contender in one workload.
 *
 * @param workload the workload and, behind a dot, what is special about it: {@code w5.snapshot}
 */
record Match(
        String workload,
        Entrant entrant,
        TrialKind trial,
        DatabaseKind database,
        SinkKind sink,
        Parameters parameters) {

    /** Whether this belongs to the workload that a user has named: {@code w5} or {@code mariadb.w2}. */
    boolean belongsTo(String named) {
        return workload.equals(named) || workload.startsWith(named + ".");
    }

    @Override
    public String toString() {
        return workload + " " + entrant;
    }
}
