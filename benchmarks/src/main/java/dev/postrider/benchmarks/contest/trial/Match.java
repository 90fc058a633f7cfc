package dev.postrider.benchmarks.contest.trial;

import dev.postrider.benchmarks.contenders.Entrant;
import dev.postrider.benchmarks.contest.arena.DatabaseKind;
import dev.postrider.benchmarks.contest.arena.Parameters;
import dev.postrider.benchmarks.contest.arena.SinkKind;

/**
 * One contender in one workload.
 *
 * @param workload the workload and, behind a dot, what is special about it: {@code w5.snapshot}
 */
public record Match(
        String workload,
        Entrant entrant,
        TrialKind trial,
        DatabaseKind database,
        SinkKind sink,
        Parameters parameters) {

    /** Whether this belongs to the workload that a user has named: {@code w5} or {@code mariadb.w2}. */
    public boolean belongsTo(String named) {
        return workload.equals(named) || workload.startsWith(named + ".");
    }

    @Override
    public String toString() {
        return workload + " " + entrant;
    }
}
