package dev.postrider.benchmarks.contest;

/** One workload for one contender, in a process of its own. */
interface Trial {

    /** Measures the contender, which is installed and not started. */
    void run(Contender contender, Arena arena, Parameters parameters, Figures figures) throws Exception;
}
