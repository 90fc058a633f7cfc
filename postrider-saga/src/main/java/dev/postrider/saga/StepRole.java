package dev.postrider.saga;

/** What becomes of a step when the saga turns back. */
enum StepRole {
    /** It is undone. */
    COMPENSATABLE,
    /** There is nothing to undo. */
    READ_ONLY,
    /** It says nothing about that; allowed only where the saga never turns back. */
    PLAIN,
    /** From here on the saga does not turn back. */
    PIVOT,
    /** It is behind the pivot. */
    RETRIABLE
}
