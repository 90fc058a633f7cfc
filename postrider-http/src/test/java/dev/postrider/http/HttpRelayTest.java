package dev.postrider.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.admin.StoredMessage;
import dev.postrider.relay.Relay;
import dev.postrider.testkit.InMemoryOutbox;
import dev.postrider.testkit.InMemoryOutboxStore;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The answers of a receiver, through a relay. */
class HttpRelayTest {

    private final InMemoryOutboxStore store = new InMemoryOutboxStore(Clock.systemUTC());
    private final InMemoryOutbox outbox = new InMemoryOutbox(store);

    @Test
    void aReceiverThatAsksForTimeGetsItAndTheAttemptDoesNotCount() throws IOException {
        AtomicInteger requests = new AtomicInteger();
        Receiver.Behaviour busyAtFirst = (request, connection) -> {
            if (requests.incrementAndGet() == 1) {
                connection.respond(429, "Retry-After: 3");
            } else {
                connection.respond(200);
            }
        };
        OutboxMessage message = Answers.message();
        try (Receiver receiver = Receiver.that(busyAtFirst);
                HttpPublisher publisher = receiver.publisher().build();
                Relay relay = Relay.builder(store, publisher).build().start()) {
            outbox.enqueueAndCommit(message);
            relay.wake();

            awaitDelivered(message);

            List<Received> received = receiver.requests();
            assertThat(received).hasSize(2);
            assertThat(Duration.ofNanos(
                            received.get(1).nanos() - received.get(0).nanos()))
                    .isGreaterThanOrEqualTo(Duration.ofSeconds(3));
            assertThat(stored(message).attempts()).isEqualTo(1);
        }
    }

    @Tag("R1.17")
    @Test
    void aLostResponseIsRepeatedAndHasOneEffect() throws IOException {
        Set<String> seen = ConcurrentHashMap.newKeySet();
        AtomicInteger effects = new AtomicInteger();
        Receiver.Behaviour losing = (request, connection) -> {
            if (seen.add(request.header("idempotency-key"))) {
                effects.incrementAndGet();
                connection.socket().close();
            } else {
                connection.respond(200);
            }
        };
        OutboxMessage message = Answers.message();
        try (Receiver receiver = Receiver.that(losing);
                HttpPublisher publisher = receiver.publisher().build();
                Relay relay = Relay.builder(store, publisher).build().start()) {
            outbox.enqueueAndCommit(message);
            relay.wake();

            awaitDelivered(message);

            assertThat(effects).hasValue(1);
            assertThat(stored(message).attempts()).isEqualTo(2);
            assertThat(receiver.requests())
                    .extracting(Received::head)
                    .hasSize(2)
                    .satisfies(heads -> assertThat(heads.get(1)).isEqualTo(heads.get(0)));
        }
    }

    @Test
    void aMessageTheReceiverWillNeverTakeIsDeadAtOnce() throws IOException {
        OutboxMessage message = Answers.message();
        try (Receiver receiver = Receiver.responding(422);
                HttpPublisher publisher = receiver.publisher().build();
                Relay relay = Relay.builder(store, publisher).build().start()) {
            outbox.enqueueAndCommit(message);
            relay.wake();

            await().atMost(Answers.PATIENCE).until(() -> stored(message).status() == MessageStatus.DEAD);

            assertThat(receiver.requests()).hasSize(1);
            assertThat(stored(message).error()).get().asString().contains("HTTP 422 from http://127.0.0.1");
        }
    }

    private void awaitDelivered(OutboxMessage message) {
        await().atMost(Answers.PATIENCE).until(() -> stored(message).status() == MessageStatus.DELIVERED);
    }

    private StoredMessage stored(OutboxMessage message) {
        return store.find(message.id()).orElseThrow();
    }
}
