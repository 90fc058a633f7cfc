package dev.postrider.benchmarks.contest.trial;

import dev.postrider.benchmarks.contest.arena.Arena;
import dev.postrider.benchmarks.contest.arena.Contender;
import dev.postrider.benchmarks.contest.arena.Parameters;

/** One workload for one contender, in a process of its own. */
interface Trial {

    /** Measures the contender, which is installed and not started. */
    void run(Contender contender, Arena arena, Parameters parameters, Figures figures) throws Exception;
}
