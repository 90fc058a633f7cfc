package dev.postrider.saga;

import dev.postrider.OutboxException;
import org.jspecify.annotations.Nullable;

/** A step returned as if all were well, but its transaction had ended under it. */
final class DeadTransactionException extends OutboxException {

    DeadTransactionException(String step, @Nullable Throwable cause) {
        super(
                "The transaction had ended when step '%s' returned: the step swallowed an error of the database"
                        .formatted(step),
                cause);
    }
}
