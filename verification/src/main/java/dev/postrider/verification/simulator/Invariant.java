package dev.postrider.verification.simulator;

/** What must hold in every history. */
enum Invariant {
    /** I1: what is delivered was committed. */
    NO_PHANTOM("I1"),
    /** I2: what was committed is delivered, dead with a reason, or discarded by a person. */
    NO_LOSS("I2"),
    /** I3: the first occurrences of a key are in the order of their commits. */
    ORDER("I3"),
    /** I4: nothing is skipped. */
    NO_GAP("I4"),
    /** I5: every delivery has a claim, and every claim after the first a reason. */
    EXPLAINED("I5"),
    /** I6: what arrives is what was enqueued, to the byte, and what is damaged does not leave. */
    INTACT("I6"),
    /** I7: a row changes only along the documented edges, each for its documented reason. */
    STATES("I7"),
    /** I8: shards change hands only when their owner's time is over, and a lost claim changes nothing. */
    OWNERSHIP("I8"),
    /** I10: once everything works again, everything is delivered within a bounded time. */
    LIVENESS("I10"),
    /** P5: a graceful stop alone delivers nothing twice. */
    GRACEFUL("P5"),
    /** P7: a message that kills the process is stopped, and no other message dies of it. */
    QUARANTINE("P7"),
    /** No step of a relay throws anything but what the infrastructure threw. */
    NO_EXCEPTION("P9");

    private final String id;

    Invariant(String id) {
        this.id = id;
    }

    String id() {
        return id;
    }
}
