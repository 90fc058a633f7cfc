package dev.postrider.spring.test;

import dev.postrider.OutboxMessage;
import dev.postrider.testkit.MessagesAssert;
import dev.postrider.testkit.OutboxAssertions;
import java.util.List;
import org.assertj.core.api.AbstractAssert;

/** Says what is committed in the outbox of the application under test. */
public final class CommittedMessagesAssert extends AbstractAssert<CommittedMessagesAssert, List<OutboxMessage>> {

    CommittedMessagesAssert(List<OutboxMessage> messages) {
        super(messages, CommittedMessagesAssert.class);
    }

    /** At least one message to this topic is committed; what follows says more about it. */
    public MessagesAssert enqueued(String topic) {
        return OutboxAssertions.assertThatMessages("the outbox", actual).toTopic(topic);
    }

    /** No message is committed. */
    public CommittedMessagesAssert isEmpty() {
        if (!actual.isEmpty()) {
            failWithMessage("Expected no message but the outbox has %s", actual);
        }
        return this;
    }
}
