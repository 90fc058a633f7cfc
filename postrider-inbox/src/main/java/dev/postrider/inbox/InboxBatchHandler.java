package dev.postrider.inbox;

import java.util.List;

/** What is done about the new messages of a batch. It may run again with fewer of them, in another transaction. */
@FunctionalInterface
public interface InboxBatchHandler {

    /** Handles the messages, in the order in which they came; whatever it throws rolls everything back. */
    void handle(List<ReceivedMessage> fresh, InboxTransaction transaction) throws Exception;
}
