package dev.postrider.inbox;

import org.jspecify.annotations.Nullable;

/**
 * What became of a message. Whatever it is, the message may be acknowledged.
 *
 * @param <R> what the handler returns
 */
public sealed interface InboxResult<R> {

    /**
     * The handler ran, and its work is committed together with the mark; in a caller's transaction, as soon as that
     * commits.
     *
     * @param value what the handler returned
     */
    record Processed<R>(@Nullable R value) implements InboxResult<R> {}

    /** The message was handled or discarded before, or is presumed so by {@link Horizon#SKIP}; nothing was done. */
    record Duplicate<R>() implements InboxResult<R> {}

    /**
     * The message is kept until an operator, or the message ahead of it, lets it go on; nothing was done.
     *
     * @param reason why
     */
    record Parked<R>(ParkReason reason) implements InboxResult<R> {}
}
