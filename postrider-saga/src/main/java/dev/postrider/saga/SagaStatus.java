package dev.postrider.saga;

/** Where a saga is. */
public enum SagaStatus {
    /** Steps are run, now or when it is due. */
    RUNNING,
    /** A reply is awaited; when it is due, the reply is late. */
    WAITING,
    /** What was done is undone, step by step. */
    COMPENSATING,
    /** It cannot go on alone: a person has to look at it. */
    STUCK,
    /** Every step was done or skipped. */
    COMPLETED,
    /** Every step that was done, or may have been, is undone. */
    COMPENSATED,
    /** Its one transaction was rolled back: nothing was done. */
    ROLLED_BACK;

    /** Tells whether nothing more will happen to the saga. */
    public boolean finished() {
        return this == COMPLETED || this == COMPENSATED || this == ROLLED_BACK;
    }

    /** Tells whether a runner takes the saga up when it is due. */
    public boolean active() {
        return this == RUNNING || this == WAITING || this == COMPENSATING;
    }
}
