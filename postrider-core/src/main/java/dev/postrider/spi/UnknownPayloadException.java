package dev.postrider.spi;

import dev.postrider.OutboxException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown for a payload whose type or version this process does not know. The message is not to blame: a process with a
 * newer release may know it, as while a release rolls out, so a handler that throws this defers the message.
 */
public final class UnknownPayloadException extends OutboxException {

    /** Says which type is not known, and what is known instead. */
    public UnknownPayloadException(String reason, @Nullable Throwable cause) {
        super(reason, cause);
    }
}
