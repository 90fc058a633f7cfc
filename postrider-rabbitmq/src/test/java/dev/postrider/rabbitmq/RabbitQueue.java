package dev.postrider.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.postrider.OutboxMessage;
import dev.postrider.consumers.ConsumerPlan;
import dev.postrider.consumers.Gate;
import dev.postrider.consumers.InboxDatabase;
import dev.postrider.consumers.RunningConsumer;
import dev.postrider.consumers.TestBroker;
import dev.postrider.consumers.TestMessage;
import dev.postrider.inbox.Inbox;
import dev.postrider.publish.MessageHeaders;
import dev.postrider.spi.PublishResult;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** A queue of a test's own. It has no lanes: its consumer keeps the order of each key. */
final class RabbitQueue implements TestBroker {

    private static final int PERSISTENT = 2;
    private static final AtomicInteger NAMES = new AtomicInteger();

    final Broker broker;
    final String name = "inbox-" + NAMES.incrementAndGet();

    /** Declares a queue of type {@code classic} or {@code quorum}. */
    RabbitQueue(Broker broker, String type) {
        this.broker = broker.queue(name, Map.of("x-queue-type", type));
    }

    RabbitInboxConsumer.Builder consumer(Inbox inbox) {
        return RabbitInboxConsumer.builder(inbox, InboxDatabase.CONSUMER, broker.factory())
                .queue(name)
                // Fewer than a test sends, so that messages which wait take places others need.
                .prefetch(10)
                .backoff(Duration.ofMillis(20), Duration.ofMillis(200))
                .releasedEvery(Duration.ofMillis(100));
    }

    @Override
    public void send(List<TestMessage> messages) {
        broker.confirmed(() -> messages.forEach(
                message -> broker.send(name, properties(message).build(), message.payload())));
    }

    private static BasicProperties.Builder properties(TestMessage message) {
        Map<String, Object> headers = new HashMap<>(message.headers());
        if (message.key() != null) {
            headers.put(MessageHeaders.KEY, message.key());
        }
        return new BasicProperties.Builder()
                .deliveryMode(PERSISTENT)
                .messageId(message.id())
                .headers(headers);
    }

    @Override
    public void publish(OutboxMessage message) {
        String exchange = name + "-exchange";
        broker.exchange(exchange).bind(name, exchange);
        try (RabbitPublisher publisher =
                RabbitPublisher.builder(broker.factory()).exchange(exchange).build()) {
            assertThat(Answers.of(publisher, message)).isEqualTo(PublishResult.acked());
        }
    }

    @Override
    public RunningConsumer start(ConsumerPlan plan) {
        RabbitInboxConsumer.Builder builder = consumer(plan.inbox()).threads(plan.threads());
        plan.setHandler(builder::handler, builder::batchHandler);
        return running(builder.build().start());
    }

    static RunningConsumer running(RabbitInboxConsumer consumer) {
        return new RunningConsumer(consumer::health, consumer::close);
    }

    @Override
    public String source() {
        return name;
    }

    @Override
    public void awaitAcknowledged(RunningConsumer consumer) {
        await().atMost(Gate.PATIENCE).until(() -> consumer.health().inHand() == 0);
        consumer.close();
        await().atMost(Gate.PATIENCE).until(() -> broker.consumers(name) == 0);
        assertThat(broker.drain(name)).isEmpty();
    }

    @Override
    public void close() {
        broker.close();
    }
}
