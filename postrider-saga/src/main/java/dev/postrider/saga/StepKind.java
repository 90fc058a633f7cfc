package dev.postrider.saga;

/** How a step does its work. */
enum StepKind {
    /** In one transaction with the journal. */
    LOCAL,
    /** By a command in the outbox and a reply in the inbox. */
    REQUEST,
    /** By a call that may happen more than once with the same idempotency key. */
    EXTERNAL
}
