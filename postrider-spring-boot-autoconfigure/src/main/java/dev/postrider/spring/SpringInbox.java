package dev.postrider.spring;

import dev.postrider.inbox.Inbox;
import dev.postrider.inbox.InboxHandler;
import dev.postrider.inbox.InboxResult;
import java.sql.Connection;
import java.util.Objects;

/**
 * Handles messages of an inbox in the Spring transaction that is open on the thread, for example in a
 * {@code @KafkaListener} or {@code @RabbitListener} method that is {@code @Transactional}. Thread-safe.
 */
public final class SpringInbox {

    private final Inbox inbox;
    private final SpringTransactions transactions;

    /** Takes the inbox and what finds the open transaction. */
    public SpringInbox(Inbox inbox, SpringTransactions transactions) {
        this.inbox = Objects.requireNonNull(inbox, "inbox");
        this.transactions = Objects.requireNonNull(transactions, "transactions");
    }

    /**
     * Handles the message in the open transaction, which commits the mark with everything else in it. Nothing is
     * repeated, counted or parked. Let an exception pass, so that the transaction rolls back and the message comes
     * again.
     *
     * @throws NoTransactionException if no transaction is open
     * @throws dev.postrider.inbox.InboxException if it is not handled; do not acknowledge
     */
    public <R> InboxResult<R> processInTransaction(String messageId, String consumer, InboxHandler<R> handler) {
        Connection connection = transactions.connection();
        try {
            return inbox.process(messageId, consumer, connection, handler);
        } finally {
            transactions.release(connection);
        }
    }
}
