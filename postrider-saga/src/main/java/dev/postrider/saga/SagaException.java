package dev.postrider.saga;

import dev.postrider.OutboxException;
import org.jspecify.annotations.Nullable;

/** Thrown when a saga could not be run, or did not end as the caller demanded. */
public final class SagaException extends OutboxException {

    SagaException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    SagaException(String message) {
        super(message);
    }
}
