package dev.postrider.consumers;

import dev.postrider.inbox.Inbox;
import dev.postrider.inbox.InboxBatchHandler;
import dev.postrider.inbox.ReceivedHandler;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a consumer of a test is set up. Immutable.
 *
 * @param handler what is done about one message; null if there is one for batches
 * @param batchHandler what is done about a batch; null if there is one for messages
 */
public record ConsumerPlan(
        Inbox inbox,
        int threads,
        @Nullable ReceivedHandler handler,
        int batchSize,
        @Nullable InboxBatchHandler batchHandler) {

    /** Returns a plan for messages one by one. */
    public static ConsumerPlan of(Inbox inbox, ReceivedHandler handler) {
        return new ConsumerPlan(inbox, 1, handler, 1, null);
    }

    /** Returns a plan for batches. */
    public static ConsumerPlan ofBatches(Inbox inbox, int size, InboxBatchHandler handler) {
        return new ConsumerPlan(inbox, 1, null, size, handler);
    }

    /** Returns the plan with as many threads. */
    public ConsumerPlan withThreads(int count) {
        return new ConsumerPlan(inbox, count, handler, batchSize, batchHandler);
    }

    /** Hands the handler to that one of a builder's methods that takes it. */
    public void setHandler(Consumer<ReceivedHandler> single, BiConsumer<Integer, InboxBatchHandler> batches) {
        if (handler != null) {
            single.accept(handler);
        }
        if (batchHandler != null) {
            batches.accept(batchSize, batchHandler);
        }
    }
}
