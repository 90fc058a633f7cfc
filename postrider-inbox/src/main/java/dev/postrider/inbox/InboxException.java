package dev.postrider.inbox;

import dev.postrider.OutboxException;
import org.jspecify.annotations.Nullable;

/** A message was not handled, or nobody knows whether it was. It must come again. */
public final class InboxException extends OutboxException {

    /** What went wrong. */
    public enum Reason {
        /** The handler threw; that was counted. */
        HANDLER_FAILED,
        /** The handler overlooked an error that ended its transaction; that was counted. */
        TRANSACTION_LOST,
        /** The database refuses a value of the message, such as a text that its encoding lacks; that was counted. */
        UNSTORABLE,
        /** The same message is being handled elsewhere, for longer than is waited. */
        BUSY,
        /** The commit broke, and nobody knows whether it happened; when the message comes again it shows. */
        OUTCOME_UNKNOWN,
        /** The message is beyond the horizon and cannot be parked, because only its id is known. */
        BEYOND_HORIZON,
        /** The database failed or the thread was interrupted: the message is not to blame, and nothing was counted. */
        INFRASTRUCTURE
    }

    private final Reason reason;

    InboxException(Reason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    /** Returns what went wrong. */
    public Reason reason() {
        return reason;
    }
}
