package dev.postrider;

import org.jspecify.annotations.Nullable;

/** Base of every exception this library throws on its own account. */
public class OutboxException extends RuntimeException {

    /** Says what was tried and keeps the cause. */
    public OutboxException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** Says what was tried. */
    public OutboxException(String message) {
        this(message, null);
    }
}
