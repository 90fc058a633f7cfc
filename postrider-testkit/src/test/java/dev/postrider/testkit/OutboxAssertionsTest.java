package dev.postrider.testkit;

import static dev.postrider.testkit.OutboxAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimedMessage;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

@OutboxTest
final class OutboxAssertionsTest {

    private static final OutboxMessage PLACED = OutboxMessage.to("orders", "OrderPlaced")
            .key("42")
            .tenant("acme")
            .header("trace", "abc")
            .payload("secret")
            .build();
    private static final OutboxMessage PAID =
            OutboxMessage.to("payments", "OrderPaid").key("42").build();

    @Test
    void whatWasEnqueuedIsFoundByAnyOfItsFields(InMemoryOutbox outbox) {
        outbox.enqueueAndCommit(PLACED, PAID);

        assertThat(outbox)
                .hasEnqueued("OrderPlaced")
                .withKey("42")
                .toTopic("orders")
                .ofTenant("acme")
                .withHeader("trace", "abc")
                .withPayload("secret")
                .times(1);
        assertThat(outbox).hasEnqueuedExactly("OrderPlaced", "OrderPaid").hasEnqueuedExactly(PLACED, PAID);
        assertThat(assertThat(outbox).hasEnqueued("OrderPaid").messages()).containsExactly(PAID);
    }

    @Test
    void transactionsAreToldApart(InMemoryOutbox outbox) {
        outbox.enqueueAndCommit(PLACED);
        try (InMemoryTransaction open = outbox.begin()) {
            outbox.enqueue(PAID);

            assertThat(outbox).inTransaction(open).hasEnqueuedExactly("OrderPaid");
            assertThat(outbox).committed().hasEnqueuedExactly("OrderPlaced");
        }
        assertThat(outbox).hasEnqueuedExactly("OrderPlaced");
    }

    @Test
    void aRolledBackTransactionIsEmpty(InMemoryOutbox outbox) {
        InMemoryTransaction transaction = outbox.begin();
        outbox.enqueue(PLACED);
        transaction.rollback();

        assertThat(outbox).isEmpty();
        assertThat(outbox).inTransaction(transaction).isEmpty();
    }

    @Test
    void aMissingMessageIsReportedWithWhatIsThereButNoPayload(InMemoryOutbox outbox) {
        outbox.enqueueAndCommit(PLACED);

        assertThatThrownBy(() -> assertThat(outbox).hasEnqueued("OrderPlaced").withKey("43"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("Expected a message of type 'OrderPlaced' with key '43' but the outbox has")
                .hasMessageContaining("key=42")
                .hasMessageNotContaining("secret");
    }

    @Test
    void anEmptyOutboxIsReportedAsSuch(InMemoryOutbox outbox) {
        fails(() -> assertThat(outbox).hasEnqueued("OrderPlaced"), "of type 'OrderPlaced' but the outbox is empty");
    }

    @Test
    void differencesOfTheWholeAreReported(InMemoryOutbox outbox) {
        outbox.enqueueAndCommit(PLACED);

        fails(() -> assertThat(outbox).isEmpty(), "Expected no message but the outbox has");
        fails(() -> assertThat(outbox).hasEnqueuedExactly("OrderPaid"), "exactly the types [OrderPaid]");
        fails(() -> assertThat(outbox).hasEnqueuedExactly(PAID), PAID.id().toString());
        fails(() -> assertThat(outbox).hasEnqueued("OrderPlaced").times(2), "exactly 2 times, found it 1 times");
        fails(() -> assertThat(outbox).committed().hasEnqueued("X"), "the committed part of the outbox has");
    }

    @Test
    void whatWasReceivedIsFound(InMemoryOutbox outbox, RecordingPublisher publisher) {
        assertThat(publisher).receivedNothing();
        outbox.enqueueAndCommit(PLACED, PAID);
        outbox.deliverAll(publisher);

        assertThat(publisher)
                .received("orders")
                .inOrderForKey("42")
                .exactly("OrderPlaced")
                .withoutDuplicates();
        assertThat(publisher).received("payments").ofType("OrderPaid").withKey("42");
    }

    @Test
    void duplicatesDoNotBreakTheOrderOfFirstOccurrences(RecordingPublisher publisher) {
        receive(publisher, 1, 2, 1, 3, 2);

        assertThat(publisher).received("orders").inOrderForKey("42");
        fails(() -> assertThat(publisher).received("orders").withoutDuplicates(), "came twice");
    }

    @Test
    void aReorderIsReported(RecordingPublisher publisher) {
        receive(publisher, 1, 3, 2);

        fails(
                () -> assertThat(publisher).received("orders").inOrderForKey("42"),
                "Expected key '42' in enqueue order but");
    }

    @Test
    void missingArrivalsAreReported(RecordingPublisher publisher) {
        fails(() -> assertThat(publisher).received("orders"), "topic 'orders' but the broker is empty");
        receive(publisher, 1);

        fails(() -> assertThat(publisher).received("payments"), "topic 'payments' but the broker has");
        fails(() -> assertThat(publisher).received("orders").inOrderForKey("43"), "key '43' but topic 'orders' has");
        fails(() -> assertThat(publisher).received("orders").exactly("X"), "exactly the types [X]");
        fails(() -> assertThat(publisher).receivedNothing(), "Expected no message but the broker has");
    }

    private static void receive(RecordingPublisher publisher, long... seqs) {
        for (long seq : seqs) {
            publisher.publish(
                    List.of(new ClaimedMessage(seq, 1, "relay", 0, 1, false, 0, false, null, PLACED)),
                    (message, result) -> {});
        }
    }

    private static void fails(ThrowingCallable assertion, String message) {
        assertThatThrownBy(assertion).isInstanceOf(AssertionError.class).hasMessageContaining(message);
    }
}
