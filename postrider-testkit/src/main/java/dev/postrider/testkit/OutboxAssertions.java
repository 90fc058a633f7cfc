package dev.postrider.testkit;

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
}
