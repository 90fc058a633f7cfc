package dev.postrider.saga;

import dev.postrider.OutboxMessage;
import dev.postrider.Receipt;
import java.sql.Connection;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** The transaction of a local step. Valid until the step returns; belongs to its thread. */
public interface StepTransaction {

    /** The connection; it can neither be committed nor rolled back nor closed by the step. */
    Connection connection();

    /**
     * Enqueues a message in this transaction. The engine gives it its id, so that a repeated step enqueues the same
     * ids; a message with a dedupe key keeps the id of the key.
     */
    Receipt enqueue(OutboxMessage message);

    /** The same at every attempt of this step of this saga, and unlike any other. */
    String idempotencyKey();

    /** Counts the attempts of the step, from 1. */
    int attempt();

    /** When this attempt has to be over, by the clock of this process. */
    Optional<Instant> deadline();

    /** The saga. */
    UUID sagaId();
}
