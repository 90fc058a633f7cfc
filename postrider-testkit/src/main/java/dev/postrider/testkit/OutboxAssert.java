package dev.postrider.testkit;

import dev.postrider.OutboxMessage;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.AbstractAssert;

/** Says what was enqueued in transactions that were not rolled back. */
public final class OutboxAssert extends AbstractAssert<OutboxAssert, InMemoryOutbox> {

    private final List<InMemoryTransaction> transactions;
    private final String scope;

    OutboxAssert(InMemoryOutbox outbox) {
        this(outbox, outbox.transactions(), "the outbox");
    }

    private OutboxAssert(InMemoryOutbox outbox, List<InMemoryTransaction> transactions, String scope) {
        super(outbox, OutboxAssert.class);
        this.transactions = transactions;
        this.scope = scope;
    }

    /** Looks only at what was enqueued in this transaction. */
    public OutboxAssert inTransaction(InMemoryTransaction transaction) {
        return new OutboxAssert(actual, List.of(transaction), "the transaction");
    }

    /** Looks only at what was committed. */
    public OutboxAssert committed() {
        List<InMemoryTransaction> committed =
                transactions.stream().filter(InMemoryTransaction::isCommitted).toList();
        return new OutboxAssert(actual, committed, "the committed part of " + scope);
    }

    /** At least one message of this type was enqueued; what follows says more about it. */
    public MessagesAssert hasEnqueued(String type) {
        return new MessagesAssert(scope, messages()).ofType(type);
    }

    /** Messages of exactly these types were enqueued, in this order. */
    public OutboxAssert hasEnqueuedExactly(String... types) {
        List<String> actualTypes = messages().stream().map(OutboxMessage::type).toList();
        if (!actualTypes.equals(List.of(types))) {
            failWithMessage(
                    "Expected exactly the types %s in this order but %s",
                    Arrays.toString(types), MessagesAssert.describe(scope, messages()));
        }
        return this;
    }

    /** Exactly these messages were enqueued, in this order; messages with the same id are the same. */
    public OutboxAssert hasEnqueuedExactly(OutboxMessage... expected) {
        List<OutboxMessage> messages = messages();
        boolean same = messages.stream()
                .map(OutboxMessage::id)
                .toList()
                .equals(Arrays.stream(expected).map(OutboxMessage::id).toList());
        if (!same) {
            failWithMessage(
                    "Expected exactly%s%nin this order but %s",
                    MessagesAssert.lines(List.of(expected)), MessagesAssert.describe(scope, messages));
        }
        return this;
    }

    /** Nothing was enqueued. */
    public OutboxAssert isEmpty() {
        if (!messages().isEmpty()) {
            failWithMessage("Expected no message but %s", MessagesAssert.describe(scope, messages()));
        }
        return this;
    }

    private List<OutboxMessage> messages() {
        return transactions.stream()
                .flatMap(transaction -> transaction.messages().stream())
                .toList();
    }
}
