package dev.postrider.publish;

import dev.postrider.OutboxException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a {@link MessageHandler} that will never be able to handle the message. The text is kept with the dead
 * message, so it should say why and not quote the payload.
 */
public final class RejectedMessageException extends OutboxException {

    /** Says why. */
    public RejectedMessageException(String reason) {
        super(reason);
    }

    /** Says why and keeps the cause. */
    public RejectedMessageException(String reason, @Nullable Throwable cause) {
        super(reason, cause);
    }
}
