package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.admin.Decision;
import dev.postrider.admin.OutboxAdmin;
import dev.postrider.admin.RelayAdmin;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayBuilder;
import dev.postrider.retry.RetryPolicy;
import dev.postrider.spi.OutboxStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;

/** What tests of a relay do, and what they need from the store under test. */
abstract class RelaySteps {

    static final Duration PATIENCE = Duration.ofMinutes(2);
    static final Decision DECISION = new Decision("operator", "the cause is gone");
    static final Duration MOMENT = Duration.ofMillis(300);

    final FlakyPublisher publisher = new FlakyPublisher();
    private final List<Relay> started = new ArrayList<>();

    /** The store under test. */
    protected abstract OutboxStore store();

    /** What a person may do to the same outbox. */
    protected abstract OutboxAdmin admin();

    /** What a person may want of the relays of the same outbox. */
    protected abstract RelayAdmin relays();

    /** Begins a transaction of its own in the same outbox. */
    protected abstract OutboxTransaction begin();

    /** Changes the row of a committed message behind the store's back, so that it is no longer what was enqueued. */
    protected abstract void damage(UUID id);

    /** Undoes {@link #damage}. */
    protected abstract void repair(UUID id);

    @AfterEach
    void closeRelays() {
        publisher.recover();
        publisher.releaseHeld();
        started.forEach(Relay::close);
    }

    RelayBuilder relay() {
        return relay(store()).name("contract").retry(quickly(100));
    }

    /** Ownership outlasts a pause of the machine, so that no relay is taken over by chance. */
    RelayBuilder relay(OutboxStore store) {
        return Relay.builder(store, publisher)
                .pollInterval(Duration.ofMillis(50))
                .ownFor(Duration.ofSeconds(10));
    }

    static RetryPolicy quickly(int maxAttempts) {
        return RetryPolicy.exponential(Duration.ofMillis(10), Duration.ofMillis(50), maxAttempts);
    }

    Relay start(RelayBuilder builder) {
        Relay relay = builder.build();
        started.add(relay);
        return relay.start();
    }

    static void whileClosing(Relay relay, Runnable action) throws Exception {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try {
            Future<?> closing = executor.submit(relay::close);
            Poll.until(MOMENT, closing::isDone);
            action.run();
            closing.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } finally {
            executor.shutdownNow();
        }
    }

    void enqueue(OutboxMessage... messages) {
        try (OutboxTransaction transaction = begin()) {
            transaction.outbox().enqueueAll(List.of(messages));
            transaction.commit();
        }
    }

    void awaitDelivered(OutboxMessage... messages) {
        List<UUID> missing =
                new ArrayList<>(Arrays.stream(messages).map(OutboxMessage::id).toList());
        Poll.until(PATIENCE, () -> {
            missing.removeIf(id -> admin().find(id).orElseThrow().status() == MessageStatus.DELIVERED);
            return missing.isEmpty();
        });
        assertThat(missing).as("messages that were not delivered").isEmpty();
    }

    static void await(BooleanSupplier condition) {
        assertThat(Poll.until(PATIENCE, condition)).as("came true in time").isTrue();
    }

    static boolean happensWithinAMoment(BooleanSupplier condition) {
        return Poll.until(MOMENT, condition);
    }

    MessageStatus status(OutboxMessage message) {
        return admin().find(message.id()).orElseThrow().status();
    }

    Instant died(OutboxMessage message) {
        return Optional.ofNullable(
                        admin().find(message.id()).orElseThrow().times().died())
                .orElse(Instant.MAX);
    }

    List<UUID> received() {
        return publisher.broker().received().stream().map(OutboxMessage::id).toList();
    }

    int attempts(OutboxMessage message) {
        return admin().find(message.id()).orElseThrow().attempts();
    }

    void assertInOrder(int keys) {
        for (int key = 0; key < keys; key++) {
            OutboxAssertions.assertThat(publisher.broker()).received("orders").inOrderForKey("key-" + key);
        }
    }

    static OutboxMessage[] messages(int keys, int ofEachKey) {
        return IntStream.range(0, keys * ofEachKey)
                .mapToObj(i -> message("key-" + i % keys))
                .toArray(OutboxMessage[]::new);
    }

    static OutboxMessage message(String key) {
        return OutboxMessage.to("orders", "Placed").key(key).build();
    }

    static OutboxMessage poison(String key) {
        return OutboxMessage.to("orders", "Poison").key(key).build();
    }

    static boolean isPoison(OutboxMessage message) {
        return message.type().equals("Poison");
    }
}
