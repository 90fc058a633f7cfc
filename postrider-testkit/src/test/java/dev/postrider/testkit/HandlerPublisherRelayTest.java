package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.admin.StoredMessage;
import dev.postrider.publish.Delivery;
import dev.postrider.publish.HandlerPublisher;
import dev.postrider.publish.RejectedMessageException;
import dev.postrider.publish.RoutingPublisher;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayListener;
import dev.postrider.retry.RetryPolicy;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.TopicName;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What becomes of messages when handlers stand behind a real relay. */
final class HandlerPublisherRelayTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final InMemoryOutboxStore store = new InMemoryOutboxStore(Clock.systemUTC());
    private final InMemoryOutbox outbox = new InMemoryOutbox(store);
    private final List<Delivery> handled = new CopyOnWriteArrayList<>();
    private final CountDownLatch release = new CountDownLatch(1);
    private final Gates gates = new Gates();
    private @Nullable Relay relay;
    private @Nullable MessagePublisher publisher;

    @AfterEach
    void close() {
        release.countDown();
        if (relay != null) {
            relay.close();
        }
        if (publisher != null) {
            publisher.close();
        }
    }

    @Test
    void aTopicWithoutAHandlerWaitsAndTheOthersGoOn() {
        OutboxMessage unknown = OutboxMessage.to("unknown", "Placed").key("1").build();
        OutboxMessage[] orders = messages(3, 10);
        outbox.enqueueAndCommit(unknown);
        outbox.enqueueAndCommit(orders);

        start(HandlerPublisher.of("orders", handled::add));

        awaitDelivered(orders);
        await(() -> gates.closed.containsKey(TopicName.of(unknown)));
        assertThat(gates.closed).containsOnlyKeys(TopicName.of(unknown));
        assertThat(gates.closed.get(TopicName.of(unknown))).contains("No handler for topic default/unknown");
        await(() -> stored(unknown).status() == MessageStatus.PENDING);
        assertThat(stored(unknown).attempts()).isZero();
        assertInOrder(orders);
    }

    @Test
    @Tag("B1")
    void aHandlerThatHangsHoldsOnlyItsKey() {
        OutboxMessage[] orders = messages(5, 10);
        outbox.enqueueAndCommit(orders);
        start(HandlerPublisher.of("orders", delivery -> {
            if (delivery.message().key().orElseThrow().equals("key-0")) {
                release.await();
            }
            handled.add(delivery);
        }));

        awaitDelivered(Arrays.stream(orders)
                .filter(each -> !each.key().orElseThrow().equals("key-0"))
                .toArray(OutboxMessage[]::new));

        assertThat(gates.closed).isEmpty();
        release.countDown();
        awaitDelivered(orders);
        assertInOrder(orders);
    }

    @Test
    void aHandlerTheRelayGaveUpOnNeverRunsBesideItsSecondAttempt() {
        OutboxMessage[] orders = messages(1, 3);
        outbox.enqueueAndCommit(orders);
        CopyOnWriteArrayList<String> overlaps = new CopyOnWriteArrayList<>();
        Map<String, Delivery> running = new ConcurrentHashMap<>();

        start(
                HandlerPublisher.builder()
                        .handler("orders", delivery -> {
                            if (running.putIfAbsent("key", delivery) != null) {
                                overlaps.add(delivery.toString());
                            }
                            handled.add(delivery);
                            if (delivery.message().equals(orders[0]) && delivery.attempt() == 1) {
                                release.await();
                            }
                            running.remove("key");
                        })
                        .build(),
                Duration.ofMillis(200));
        await(() -> stored(orders[0]).attempts() >= 2);
        release.countDown();

        awaitDelivered(orders);
        assertThat(overlaps).isEmpty();
        assertInOrder(orders);
    }

    @Test
    void moreMessagesThanThreadsCanHandleInTimeCostNoAttempts() {
        OutboxMessage[] orders = messages(100, 1);
        outbox.enqueueAndCommit(orders);
        start(HandlerPublisher.builder()
                .threads(2)
                .maxWait(Duration.ofMillis(100))
                .handler("orders", delivery -> {
                    Poll.until(Duration.ofMillis(10), () -> false);
                    handled.add(delivery);
                })
                .build());

        awaitDelivered(orders);

        assertThat(gates.closed).as("some had to wait").isNotEmpty();
        assertThat(gates.retried).isEmpty();
        assertThat(handled).hasSize(orders.length);
    }

    @Test
    void aRejectedMessageIsDeadAndOneThatFailsIsTriedAgain() {
        OutboxMessage bad = OutboxMessage.to("orders", "Bad").key("1").build();
        OutboxMessage shaky = OutboxMessage.to("orders", "Shaky").key("2").build();
        outbox.enqueueAndCommit(bad, shaky);

        start(HandlerPublisher.of("orders", delivery -> {
            if (delivery.message().type().equals("Bad")) {
                throw new RejectedMessageException("no such order");
            }
            if (delivery.attempt() < 3) {
                throw new IllegalStateException("not yet");
            }
            handled.add(delivery);
        }));

        awaitDelivered(shaky);
        await(() -> stored(bad).status() == MessageStatus.DEAD);
        assertThat(stored(bad).lastError()).contains("no such order");
        assertThat(handled).singleElement().extracting(Delivery::attempt).isEqualTo(3);
    }

    @Test
    void oneRelayServesHandlersAndABrokerSideBySide() {
        RecordingPublisher broker = new RecordingPublisher();
        OutboxMessage[] orders = messages(3, 5);
        OutboxMessage invoice =
                OutboxMessage.to("invoices", "Paid").namespace("billing").build();
        outbox.enqueueAndCommit(orders);
        outbox.enqueueAndCommit(invoice);

        start(RoutingPublisher.builder()
                .route("billing/*", broker)
                .otherwise(HandlerPublisher.of("orders", handled::add))
                .build());

        awaitDelivered(orders);
        awaitDelivered(invoice);
        assertThat(broker.received()).extracting(OutboxMessage::id).containsExactly(invoice.id());
        assertInOrder(orders);
    }

    @Test
    @Tag("S10")
    void namesOfClassesInAMessageAreOnlyNames() {
        String[] names = {
            "java.lang.ProcessBuilder", "javax.script.ScriptEngineManager", "[Ljava.lang.Thread;", "java.util.Map$Entry"
        };
        OutboxMessage[] messages = Arrays.stream(names)
                .map(name -> OutboxMessage.to("orders", name)
                        .key(name)
                        .header("class", name)
                        .header("__TypeId__", name)
                        .contentType("application/x-java-serialized-object;class=" + name)
                        .payload(name)
                        .build())
                .toArray(OutboxMessage[]::new);
        outbox.enqueueAndCommit(messages);
        List<String> asked = new CopyOnWriteArrayList<>();
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        Thread.currentThread().setContextClassLoader(new ClassLoader(before) {
            @Override
            protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
                asked.add(name);
                return super.loadClass(name, resolve);
            }
        });
        try {
            start(HandlerPublisher.of("orders", handled::add));
            awaitDelivered(messages);
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }

        assertThat(asked).doesNotContain(names);
        assertThat(handled).extracting(delivery -> delivery.message().type()).containsExactlyInAnyOrder(names);
    }

    private void start(MessagePublisher under) {
        start(under, Duration.ofSeconds(10));
    }

    private void start(MessagePublisher under, Duration publishTimeout) {
        publisher = under;
        relay = Relay.builder(store, under)
                .retry(RetryPolicy.exponential(Duration.ofMillis(10), Duration.ofMillis(50), 1_000))
                .pollInterval(Duration.ofMillis(50))
                .publishTimeout(publishTimeout)
                .listener(gates)
                .build()
                .start();
    }

    private void awaitDelivered(OutboxMessage... messages) {
        await(() -> Arrays.stream(messages).allMatch(each -> stored(each).status() == MessageStatus.DELIVERED));
    }

    private static void await(BooleanSupplier condition) {
        assertThat(Poll.until(PATIENCE, condition)).as("came true in time").isTrue();
    }

    private StoredMessage stored(OutboxMessage message) {
        return store.find(message.id()).orElseThrow();
    }

    private void assertInOrder(OutboxMessage... sent) {
        for (OutboxMessage each : sent) {
            List<OutboxMessage> expected = Arrays.stream(sent)
                    .filter(other -> other.key().equals(each.key()))
                    .toList();
            assertThat(handled.stream()
                            .map(Delivery::message)
                            .filter(other -> other.key().equals(each.key()))
                            .distinct())
                    .containsExactlyElementsOf(expected);
        }
    }

    private static OutboxMessage[] messages(int keys, int ofEachKey) {
        return IntStream.range(0, keys * ofEachKey)
                .mapToObj(i -> OutboxMessage.to("orders", "Placed")
                        .key("key-" + i % keys)
                        .build())
                .toArray(OutboxMessage[]::new);
    }

    /** Remembers which gates closed and why, and what had to be tried again. */
    private static final class Gates implements RelayListener {

        private final Map<TopicName, String> closed = new ConcurrentHashMap<>();
        private final List<Settlement> retried = new CopyOnWriteArrayList<>();

        @Override
        public void gateClosed(TopicName topic, String error) {
            closed.put(topic, error);
        }

        @Override
        public void settled(List<Settlement> outcomes) {
            outcomes.stream()
                    .filter(each -> each.outcome() == Settlement.Outcome.RETRY)
                    .forEach(retried::add);
        }
    }
}
