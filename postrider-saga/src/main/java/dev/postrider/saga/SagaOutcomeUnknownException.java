package dev.postrider.saga;

import dev.postrider.OutboxException;
import java.util.UUID;

/**
 * Thrown when the connection broke during the commit and the database could not be asked afterwards. The saga has
 * happened completely or not at all; the same business key, tried again, tells.
 */
public final class SagaOutcomeUnknownException extends OutboxException {

    private final UUID sagaId;

    SagaOutcomeUnknownException(UUID sagaId, Throwable cause) {
        super("It is not known whether saga %s committed".formatted(sagaId), cause);
        this.sagaId = sagaId;
    }

    /** The saga. */
    public UUID sagaId() {
        return sagaId;
    }
}
