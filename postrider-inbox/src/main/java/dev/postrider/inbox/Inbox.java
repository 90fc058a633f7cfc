package dev.postrider.inbox;

import java.sql.Connection;
import java.util.List;

/**
 * Gives every message exactly one effect for each consumer, however often it arrives. The handler and the mark that the
 * message was handled commit together or not at all. A consumer is the name of a logical receiver: two consumers of one
 * message handle it once each.
 *
 * <p>Acknowledge a message to its broker only after a call has returned; after an exception let it come again.
 *
 * <p>What a handler does outside the database, for example an HTTP call, happens at least once. Thread-safe.
 */
public interface Inbox {

    /**
     * Handles the message in a transaction of its own. Failures are counted, but the message is never parked, since its
     * payload is not known here.
     *
     * @param messageId 1 to 100 printable ASCII characters
     * @param consumer 1 to 100 printable ASCII characters
     * @throws IllegalArgumentException if id or consumer are anything else; nothing is cut or made up
     * @throws InboxException if it is not handled; do not acknowledge
     */
    <R> InboxResult<R> process(String messageId, String consumer, InboxHandler<R> handler);

    /**
     * Handles the message in the transaction that is open on {@code connection}; the caller commits. Nothing is
     * repeated or counted. After a failure the transaction is as it was before the call, or, where the database has
     * given it up, rolled back altogether.
     *
     * @throws InboxException if it is not handled; do not acknowledge
     */
    <R> InboxResult<R> process(String messageId, String consumer, Connection connection, InboxHandler<R> handler);

    /**
     * Handles a message as it came from a broker, in a transaction of its own. One that fails too often, has no usable
     * id or is too old to tell whether it was handled before is parked: kept with its payload until an operator
     * decides.
     *
     * @throws InboxException if it is neither handled nor parked; do not acknowledge
     */
    <R> InboxResult<R> process(ReceivedMessage message, String consumer, InboxHandler<R> handler);

    /**
     * Handles the new ones among the messages in one transaction. If that fails they are handled one by one, each in a
     * transaction of its own, so that one bad message neither takes its neighbours down nor is acknowledged with them.
     */
    InboxBatchResult processBatch(String consumer, List<ReceivedMessage> messages, InboxBatchHandler handler);

    /**
     * Handles parked messages that an operator has released, and those that waited behind them, oldest first. Call it
     * now and then from the thread that receives, with the same handler. One call looks at a bounded number of
     * messages; the next call goes on where it ended.
     *
     * @param limit how many are tried at most
     * @return how many were handled; one that failed was counted and may be parked again
     */
    int processReleased(String consumer, int limit, ReceivedHandler handler);
}
