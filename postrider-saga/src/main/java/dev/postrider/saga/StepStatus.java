package dev.postrider.saga;

/** What the journal says about a step in one direction. */
public enum StepStatus {
    /** It was tried and left nothing behind. */
    FAILED,
    /** It may have happened: from now on its compensation has to run. */
    STARTED,
    /** Its command is enqueued and the reply awaited. */
    WAITING,
    /** It happened. */
    DONE,
    /** A person decided to go on without it. */
    SKIPPED;

    /** Tells whether nothing more will be tried. */
    public boolean finished() {
        return this == DONE || this == SKIPPED;
    }
}
