package dev.postrider.saga;

import dev.postrider.OutboxException;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A saga is not in the state that an action needs; nothing was changed. */
public final class SagaStateException extends OutboxException {

    private static final long serialVersionUID = 1;

    private final @Nullable SagaStatus status;

    SagaStateException(String what, UUID id, @Nullable SagaStatus status, String why) {
        super("Could not %s saga %s: %s".formatted(what, id, why));
        this.status = status;
    }

    /** Returns where the saga is; empty if there is none with this id. */
    public Optional<SagaStatus> status() {
        return Optional.ofNullable(status);
    }
}
