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
    /** I5: a message is sent once for each fetch, and again only for a reason. */
    EXPLAINED("I5"),
    /** I5b: nothing is sent that was not fetched. */
    FETCHED_BEFORE_SENT("I5b"),
    /** I6: what arrives is what was enqueued, to the byte, and what is damaged does not leave. */
    INTACT("I6"),
    /** I7: a row changes only along the documented edges, each for its documented reason. */
    STATES("I7"),
    /** I7b: a row is removed only by a person, or by a purge after it was delivered. */
    ROW_KEPT("I7b"),
    /** I7c: a message dies only if it was rejected, used up its attempts, is damaged, or was quarantined. */
    DEATH_EXPLAINED("I7c"),
    /** I8: shards change hands only when their owner's time is over, and only their owner fetches from them. */
    OWNERSHIP("I8"),
    /** I8b: nothing is sent after the ownership has ended. */
    SENT_WHILE_OWNED("I8b"),
    /** I8c: an outcome is written only under the present epoch of its shard. */
    FENCED("I8c"),
    /** I10: once everything works again, everything is delivered within a bounded time. */
    LIVENESS("I10"),
    /** P-a: a message that may be sent is delivered soon, whatever else is in the table. */
    PROGRESS("P-a"),
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
