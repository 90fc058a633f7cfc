package dev.postrider;

import java.util.Map;

/**
 * Gives headers to every message when it is enqueued, such as the trace context of the calling thread. Called on the
 * thread of the transaction: implementations are thread-safe and quick, and an exception fails the enqueue.
 */
@FunctionalInterface
public interface HeaderSource {

    /** Gives no headers. */
    HeaderSource NONE = message -> Map.of();

    /** Returns the headers to add; those that the message has already stay as they are. */
    Map<String, String> headers(OutboxMessage message);
}
