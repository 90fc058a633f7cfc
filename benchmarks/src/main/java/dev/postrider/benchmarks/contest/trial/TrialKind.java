package dev.postrider.benchmarks.contest.trial;

/** The kinds of {@link Trial}. */
public enum TrialKind {
    ENQUEUE,
    DRAIN,
    LATENCY,
    /** Postrider on PostgreSQL only. */
    CROSS,
    /** Postrider on PostgreSQL only. */
    STEADY,
    /** Postrider only. */
    SCALE,
    FOOTPRINT;

    public Trial trial() {
        return switch (this) {
            case ENQUEUE -> new EnqueueTrial();
            case DRAIN -> new DrainTrial();
            case LATENCY -> new LatencyTrial();
            case CROSS -> new CrossTrial();
            case STEADY -> new SteadyTrial();
            case SCALE -> new ScaleTrial();
            case FOOTPRINT -> new FootprintTrial();
        };
    }
}
