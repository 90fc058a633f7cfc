package dev.postrider.inbox;

import org.jspecify.annotations.Nullable;

/**
 * What is done about one message. It may run again after a conflict with another transaction, of which nothing is left
 * then.
 *
 * @param <R> what it returns
 */
@FunctionalInterface
public interface InboxHandler<R> {

    /** Handles the message; whatever it throws rolls everything back. */
    @Nullable R handle(InboxTransaction transaction) throws Exception;
}
