package dev.postrider.admin;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxException;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A message is not in the state that an action needs; nothing was changed. */
public final class MessageStateException extends OutboxException {

    private static final long serialVersionUID = 1;

    private final @Nullable MessageStatus status;

    /** Says what was tried and which state the message is in; null if it is not in the outbox. */
    public MessageStateException(String what, UUID id, @Nullable MessageStatus status) {
        super("Could not %s message %s: it is %s".formatted(what, id, status == null ? "not there" : status));
        this.status = status;
    }

    /** Returns the state the message is in; empty if it is not in the outbox. */
    public Optional<MessageStatus> status() {
        return Optional.ofNullable(status);
    }
}
