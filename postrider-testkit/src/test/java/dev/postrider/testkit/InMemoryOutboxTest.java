package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxException;
import dev.postrider.OutboxMessage;
import dev.postrider.Receipt;
import dev.postrider.admin.Decision;
import dev.postrider.spi.PublishResult;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@OutboxTest
final class InMemoryOutboxTest {

    @Test
    @Tag("R1.4")
    void enqueueingOutsideATransactionIsRefused(InMemoryOutbox outbox) {
        assertThatThrownBy(() -> outbox.enqueue(message("42")))
                .isInstanceOf(OutboxException.class)
                .hasMessageContaining("no open transaction");
    }

    @Test
    void anEndedTransactionTakesNothing(InMemoryOutbox outbox) {
        InMemoryTransaction transaction = outbox.begin();
        transaction.commit();

        assertThatThrownBy(() -> transaction.enqueue(message("42")))
                .isInstanceOf(OutboxException.class)
                .hasMessageContaining("COMMITTED");
        assertThatThrownBy(() -> outbox.enqueue(message("42"))).isInstanceOf(OutboxException.class);
    }

    @Test
    void aThreadHasOneTransactionAtATime(InMemoryOutbox outbox) {
        outbox.begin();

        assertThatThrownBy(outbox::begin).isInstanceOf(OutboxException.class);
    }

    @Test
    @Tag("R0.5")
    void workThatThrowsLeavesNoMessage(InMemoryOutbox outbox) {
        assertThatThrownBy(() -> outbox.inTransaction(() -> {
                    outbox.enqueue(message("42"));
                    throw new IllegalStateException("business");
                }))
                .hasMessage("business");

        assertThat(outbox.messages()).isEmpty();
        assertThat(outbox.store().list(MessageStatus.PENDING, 0, 10)).isEmpty();
    }

    @Test
    void workThatSucceedsLeavesItsMessages(InMemoryOutbox outbox) throws Exception {
        Receipt receipt = outbox.inTransaction(() -> outbox.enqueue(message("42")));

        assertThat(receipt.inserted()).isTrue();
        assertThat(outbox.messages()).extracting(OutboxMessage::id).containsExactly(receipt.id());
    }

    @Test
    @Tag("R1.6")
    void aDedupeKeyMustBeginWithTheTenant(InMemoryOutbox outbox) {
        OutboxMessage foreign = OutboxMessage.to("orders", "Placed")
                .tenant("acme")
                .dedupeKey("other/1")
                .build();

        assertThatThrownBy(() -> outbox.enqueueAndCommit(message("42"), foreign))
                .isInstanceOf(IllegalArgumentException.class);

        assertThat(outbox.messages()).isEmpty();
    }

    @Test
    void aThreadThatWouldWaitForItselfIsTold(InMemoryOutboxStore store) {
        OutboxMessage message =
                OutboxMessage.to("orders", "Placed").dedupeKey("a/1").build();
        InMemoryTransaction first = store.begin();
        first.enqueue(message);

        assertThatThrownBy(() -> store.begin().enqueue(message))
                .isInstanceOf(OutboxException.class)
                .hasMessageContaining("another open transaction of this thread");
    }

    @Test
    void anIdIsTakenOnlyOnce(InMemoryOutbox outbox) {
        OutboxMessage message = message("42");
        outbox.enqueueAndCommit(message);

        assertThatThrownBy(() -> outbox.enqueueAndCommit(message))
                .isInstanceOf(OutboxException.class)
                .hasMessageContaining("its id is taken");
    }

    @Test
    void deliverAllDeliversInOrder(InMemoryOutbox outbox, RecordingPublisher publisher) {
        outbox.enqueueAndCommit(message("1"), message("2"), message("1"));

        int acked = outbox.deliverAll(publisher);

        assertThat(acked).isEqualTo(3);
        assertThat(publisher.received())
                .extracting(OutboxMessage::id)
                .containsExactlyElementsOf(
                        outbox.messages().stream().map(OutboxMessage::id).toList());
        assertThat(outbox.deliverAll(publisher)).isZero();
    }

    @Test
    void aFailedMessageBlocksItsKeyUntilItsRetry(
            InMemoryOutbox outbox, FlakyPublisher flaky, RecordingPublisher broker, VirtualClock clock) {
        outbox.enqueueAndCommit(message("1"), message("1"), message("2"));
        flaky.failNext(1);

        assertThat(outbox.deliverAll(flaky)).isEqualTo(1);
        clock.advance(Duration.ofSeconds(1));
        assertThat(outbox.deliverAll(flaky)).isEqualTo(2);

        OutboxAssertions.assertThat(broker)
                .received("orders")
                .inOrderForKey("1")
                .withoutDuplicates();
    }

    @Test
    void aLostAnswerMakesADuplicate(
            InMemoryOutbox outbox, FlakyPublisher flaky, RecordingPublisher broker, VirtualClock clock) {
        outbox.enqueueAndCommit(message("1"));
        flaky.dropAnswers(1);

        outbox.deliverAll(flaky);
        clock.advance(Duration.ofSeconds(1));
        outbox.deliverAll(flaky);

        assertThat(broker.received()).hasSize(2);
    }

    @Test
    void anUnavailableBrokerBurnsNoAttempt(InMemoryOutbox outbox, FlakyPublisher flaky) {
        OutboxMessage message = message("1");
        outbox.enqueueAndCommit(message);
        flaky.always(any -> true, PublishResult.unavailable("away"));

        assertThat(outbox.deliverAll(flaky)).isZero();

        assertThat(outbox.store().find(message.id()).orElseThrow().attempts()).isZero();
    }

    @Test
    void aRejectedMessageIsDead(InMemoryOutbox outbox, FlakyPublisher flaky) {
        OutboxMessage message = message("1");
        outbox.enqueueAndCommit(message);
        flaky.rejectNext(1);

        outbox.deliverAll(flaky);

        assertThat(outbox.store().list(MessageStatus.DEAD, 0, 10)).hasSize(1);
        assertThat(outbox.store().discard(List.of(message.id()), new Decision("me", "not needed")))
                .isEqualTo(1);
        assertThat(outbox.store().audit()).singleElement().satisfies(entry -> {
            assertThat(entry.by()).isEqualTo("me");
            assertThat(entry.action()).isEqualTo("DISCARD");
            assertThat(entry.reason()).isEqualTo("not needed");
            assertThat(entry.messageId()).isEqualTo(message.id());
            assertThat(entry.detail()).isEqualTo("default/orders Placed");
        });
    }

    private static OutboxMessage message(String key) {
        return OutboxMessage.to("orders", "Placed").key(key).build();
    }
}
