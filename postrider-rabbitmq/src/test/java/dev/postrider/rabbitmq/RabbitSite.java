package dev.postrider.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.postrider.inbox.Inbox;
import dev.postrider.inbox.InboxTransaction;
import dev.postrider.inbox.ReceivedMessage;
import dev.postrider.publish.MessageHeaders;
import dev.postrider.services.Database.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What tests of a consumer share: a broker, a database, a queue, and messages for it. */
final class RabbitSite implements AutoCloseable {

    static final Duration PATIENCE = Duration.ofMinutes(2);
    static final Map<String, Object> CLASSIC = Map.of();
    static final Map<String, Object> QUORUM = Map.of("x-queue-type", "quorum");

    private static final int PERSISTENT = 2;
    private static final AtomicInteger NAMES = new AtomicInteger();

    final Broker broker;
    final Desk desk;
    final String queue = "inbox-" + NAMES.incrementAndGet();

    RabbitSite(Broker broker, Kind kind, Map<String, Object> queueArguments) {
        this.broker = broker.queue(queue, queueArguments);
        this.desk = Desk.open(kind);
    }

    RabbitInboxConsumer.Builder consumer() {
        return consumer(desk.inbox().build());
    }

    /** A consumer that waits for nothing long. */
    RabbitInboxConsumer.Builder consumer(Inbox inbox) {
        return RabbitInboxConsumer.builder(inbox, Desk.CONSUMER, broker.factory())
                .queue(queue)
                .backoff(Duration.ofMillis(20), Duration.ofMillis(200))
                .releasedEvery(Duration.ofMillis(100));
    }

    void send(@Nullable String key, @Nullable String id, String payload) {
        BasicProperties.Builder properties = new BasicProperties.Builder()
                .deliveryMode(PERSISTENT)
                .messageId(id)
                .headers(key == null ? Map.of() : Map.of(MessageHeaders.KEY, key));
        broker.send(queue, properties.build(), payload);
    }

    /** Sends m0, m1, ... each with a key of its own. */
    void send(int count) {
        broker.confirmed(() -> IntStream.range(0, count).forEach(i -> send("key-" + i, "m" + i, "m" + i)));
    }

    static List<String> names(int count) {
        return IntStream.range(0, count).mapToObj(i -> "m" + i).toList();
    }

    /** Waits until each of these has an effect, then closes and checks that it has one only and the queue nothing. */
    void assertOneEffectEach(List<String> expected, RabbitInboxConsumer consumer) {
        awaitEffects(expected.size());
        await().atMost(PATIENCE).until(() -> consumer.health().inHand() == 0);
        consumer.close();
        assertThat(desk.effects()).containsExactlyInAnyOrderElementsOf(expected);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(broker.unacknowledged(queue)).isZero());
        assertThat(broker.drain(queue)).isEmpty();
    }

    void awaitEffects(int atLeast) {
        await().atMost(PATIENCE).until(() -> desk.effects().size() >= atLeast);
    }

    @Override
    public void close() {
        desk.close();
        broker.close();
    }

    /** A handler that makes its effect, but stops at one message until it is told to go on. */
    static final class Gate {

        private final String payload;
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch opened = new CountDownLatch(1);

        Gate(String payload) {
            this.payload = payload;
        }

        void handle(ReceivedMessage message, InboxTransaction transaction) throws Exception {
            Desk.effect(message, transaction);
            if (Desk.text(message).equals(payload)) {
                reached.countDown();
                assertThat(opened.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            }
        }

        void awaitReached() throws InterruptedException {
            assertThat(reached.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        }

        void open() {
            opened.countDown();
        }
    }
}
