package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Outbox;
import dev.postrider.OutboxMessage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

@OutboxTest
final class OutboxExtensionTest {

    @BeforeEach
    void enqueueOne(InMemoryOutbox outbox) {
        outbox.enqueueAndCommit(OutboxMessage.to("orders", "Placed").build());
    }

    @RepeatedTest(2)
    void everyTestHasAnOutboxOfItsOwn(InMemoryOutbox outbox) {
        assertThat(outbox.messages()).hasSize(1);
    }

    @Test
    void allPartsBelongTogether(
            Outbox outbox,
            InMemoryOutbox inMemory,
            InMemoryOutboxStore store,
            RecordingPublisher publisher,
            FlakyPublisher flaky,
            VirtualClock clock) {
        assertThat(outbox).isSameAs(inMemory);
        assertThat(inMemory.store()).isSameAs(store);
        assertThat(flaky.broker()).isSameAs(publisher);
        assertThat(store.find(inMemory.messages().get(0).id())
                        .orElseThrow()
                        .times()
                        .created())
                .isEqualTo(clock.instant());
    }
}
