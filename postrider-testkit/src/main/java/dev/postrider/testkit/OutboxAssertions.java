package dev.postrider.testkit;

import dev.postrider.OutboxMessage;
import java.util.List;

/** Where assertions about an outbox and a broker begin. */
public final class OutboxAssertions {

    private OutboxAssertions() {}

    /** Begins an assertion about what was enqueued. */
    public static OutboxAssert assertThat(InMemoryOutbox outbox) {
        return new OutboxAssert(outbox);
    }

    /** Begins an assertion about what the broker received. */
    public static PublisherAssert assertThat(RecordingPublisher publisher) {
        return new PublisherAssert(publisher);
    }

    /**
     * Begins an assertion about some messages; {@code scope} names them in failures, for example {@code the outbox}.
     */
    public static MessagesAssert assertThatMessages(String scope, List<OutboxMessage> messages) {
        return new MessagesAssert(scope, messages);
    }
}
