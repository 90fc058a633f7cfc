package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.postrider.LostClaimException;
import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.admin.StoredMessage;
import dev.postrider.relay.ManualRelay;
import dev.postrider.relay.RelayListener;
import dev.postrider.retry.RetryPolicy;
import dev.postrider.spi.ClaimedMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ManualRelayTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    private final VirtualClock clock = new VirtualClock();
    private final InMemoryOutboxStore store = new InMemoryOutboxStore(clock);
    private final ManualRelay relay = new ManualRelay(
            store, "my-loop", RetryPolicy.exponential(Duration.ofSeconds(10), Duration.ofMinutes(5), 2));

    @Test
    @Tag("R1.7")
    void anAckedMessageIsDelivered() {
        UUID id = enqueue();

        ClaimedMessage claimed = relay.claim(10, LONG).get(0);
        relay.ack(claimed);

        assertThat(claimed.attempt()).isEqualTo(1);
        assertThat(stored(id).status()).isEqualTo(MessageStatus.DELIVERED);
        assertThat(relay.claim(10, LONG)).isEmpty();
    }

    @Test
    @Tag("R1.7")
    @Tag("R1.13")
    void aNackedMessageWaitsAsThePolicySaysAndDiesAtItsLimit() {
        UUID id = enqueue();

        relay.nack(relay.claim(10, LONG).get(0), "not now");
        assertThat(relay.claim(10, LONG)).isEmpty();
        clock.advance(Duration.ofSeconds(11));
        relay.nack(relay.claim(10, LONG).get(0), "never");

        assertThat(stored(id).status()).isEqualTo(MessageStatus.DEAD);
        assertThat(stored(id).error()).contains("never");
        assertThat(stored(id).attempts()).isEqualTo(2);
    }

    @Test
    @Tag("R1.10")
    void aLostClaimCanNeitherBeAckedNorNacked() {
        enqueue();
        ClaimedMessage slow = relay.claim(10, Duration.ofSeconds(1), 5).get(0);
        clock.advance(Duration.ofSeconds(2));
        ClaimedMessage again = relay.claim(10, LONG, 5).get(0);

        assertThatExceptionOfType(LostClaimException.class)
                .isThrownBy(() -> relay.ack(slow))
                .withMessageContaining(slow.message().id().toString());
        assertThatExceptionOfType(LostClaimException.class).isThrownBy(() -> relay.nack(slow, "too late"));
        relay.ack(again);
    }

    @Test
    @Tag("R4.2")
    void aMessageWithADefectIsDeadAndNeverHandedOut() {
        UUID damaged = enqueue();
        UUID sound = enqueue();
        store.damage(damaged, "changed by somebody");
        List<UUID> heard = new ArrayList<>();
        ManualRelay observed =
                new ManualRelay(store, "my-loop", RetryPolicy.exponential(LONG, LONG, 2), new RelayListener() {
                    @Override
                    public void integrityFailed(ClaimedMessage defective) {
                        heard.add(defective.message().id());
                    }
                });

        assertThat(observed.claim(10, LONG))
                .extracting(claimed -> claimed.message().id())
                .containsExactly(sound);

        assertThat(stored(damaged).status()).isEqualTo(MessageStatus.DEAD);
        assertThat(stored(damaged).error()).contains("changed by somebody");
        assertThat(heard).containsExactly(damaged);
    }

    @Test
    @Tag("R1.1")
    void modulesHaveTopicsOfTheirOwn() {
        try (InMemoryTransaction transaction = store.begin()) {
            transaction.enqueue(OutboxMessage.to("events", "used")
                    .namespace("billing")
                    .dedupeKey("1")
                    .build());
            assertThat(transaction
                            .enqueue(OutboxMessage.to("events", "used")
                                    .namespace("chat")
                                    .dedupeKey("1")
                                    .build())
                            .inserted())
                    .isTrue();
            transaction.commit();
        }

        assertThat(relay.claim(10, LONG))
                .extracting(claimed -> claimed.message().namespace())
                .containsExactly("billing", "chat");
    }

    @Test
    @Tag("R1.1")
    @Tag("R1.7")
    void relayOfOneNamespaceClaimsNoOther() {
        try (InMemoryTransaction transaction = store.begin()) {
            for (String namespace : List.of("billing", "chat")) {
                transaction.enqueue(
                        OutboxMessage.to("events", "used").namespace(namespace).build());
            }
            transaction.commit();
        }

        assertThat(relay.inNamespace("chat").claim(10, LONG))
                .extracting(claimed -> claimed.message().namespace())
                .containsExactly("chat");
    }

    private UUID enqueue() {
        try (InMemoryTransaction transaction = store.begin()) {
            UUID id = transaction
                    .enqueue(OutboxMessage.to("orders", "placed").payload("{}").build())
                    .id();
            transaction.commit();
            return id;
        }
    }

    private StoredMessage stored(UUID id) {
        return store.find(id).orElseThrow();
    }
}
