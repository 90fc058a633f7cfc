package dev.postrider.inbox;

import java.time.Duration;

/**
 * Hears everything countable an inbox does. Called on the thread that processes, after the transaction has ended:
 * implementations are thread-safe, quick and do not throw.
 */
public interface InboxListener {

    /** So many messages were handled in one transaction, which took that long. */
    default void processed(String consumer, int messages, Duration took) {}

    /** A message was handled before. */
    default void duplicate(String consumer) {}

    /** A message was taken for a duplicate because it is beyond the horizon. */
    default void skipped(String consumer) {}

    /** A message was parked; a redelivery of one that is parked already is not told. */
    default void parked(String consumer, ParkReason reason) {}

    /** A message was not handled and must come again. */
    default void failed(String consumer, InboxException.Reason reason) {}

    /** A transaction lost a conflict and is repeated. */
    default void repeated(String consumer) {}
}
