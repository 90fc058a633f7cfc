package dev.postrider.saga;

import java.util.UUID;

/**
 * Hears what happens to sagas, after it is committed; usually metrics. Each step and each end is told once, by the
 * engine that runs the saga next if a reply brought it about; a process that dies after the commit tells nothing. What
 * it throws is logged and changes nothing. Implementations are thread-safe and quick.
 */
public interface SagaListener {

    /** A step was tried: it is done, undone, begun, or has failed. */
    default void step(String saga, UUID id, StepReport step) {}

    /** A saga has ended or is stuck. */
    default void ended(String saga, UUID id, SagaStatus status) {}

    /** A reply came that nobody waits for (any more). */
    default void lateReply(Reply reply) {}
}
