package dev.postrider.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.ConnectionFactory;
import dev.postrider.consumers.Gate;
import dev.postrider.consumers.InboxDatabase;
import dev.postrider.consumers.RunningConsumer;
import dev.postrider.consumers.TestMessage;
import dev.postrider.inbox.consumer.ConsumerHealth;
import dev.postrider.services.Database.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a consumer of RabbitMQ does beyond the contract of all consumers. */
@Tag("R0.7")
final class RabbitInboxConsumerTest {

    private final Broker broker = Broker.shared();
    private final InboxDatabase database = InboxDatabase.open(Kind.POSTGRES_15);

    @AfterEach
    void close() {
        broker.close();
        database.close();
    }

    @Test
    @Tag("I3")
    void idOfAMessageMayBeExtracted() {
        RabbitQueue queue = new RabbitQueue(broker, "classic");
        broker.send(
                queue.name, new BasicProperties.Builder().correlationId("c-1").build(), "correlated");

        try (RunningConsumer consumer =
                RabbitQueue.running(queue.consumer(database.inbox().build())
                        .idFrom(delivery -> delivery.getProperties().getCorrelationId())
                        .handler(InboxDatabase::effect)
                        .build()
                        .start())) {
            database.awaitEffects(1);
            queue.awaitAcknowledged(consumer);
        }
        assertThat(database.strings("select message_id from effect")).containsExactly("c-1");
    }

    @Test
    void messageHeldForHalfOfTheConsumerTimeoutIsGivenBackInItsPlace() {
        RabbitQueue queue = new RabbitQueue(broker, "quorum");
        AtomicBoolean broken = new AtomicBoolean(true);
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        List<String> deliveries = Collections.synchronizedList(new ArrayList<>());
        queue.send(List.of(TestMessage.of(0, "a", "m0"), TestMessage.of(0, "a", "m1")));

        try (RunningConsumer consumer = RabbitQueue.running(queue.consumer(
                        database.inbox().parkAfter(1_000_000).build())
                .consumerTimeout(Duration.ofSeconds(1))
                .handler((message, transaction) -> {
                    deliveries.add(message.headers().getOrDefault("x-delivery-count", "0"));
                    if (broken.get()) {
                        throw new IllegalStateException("not now");
                    }
                    InboxDatabase.effect(message, transaction);
                    order.add(InboxDatabase.text(message));
                })
                .build()
                .start())) {
            // The broker itself counts that it came again.
            await().atMost(Gate.PATIENCE).until(() -> deliveries.contains("2"));
            assertThat(deliveries).contains("0", "1");

            broken.set(false);
            database.awaitEffects(2);
            queue.awaitAcknowledged(consumer);
        }
        assertThat(order).containsExactly("m0", "m1");
    }

    @Test
    void queueThatIsMissingOrDeletedIsWaitedFor() {
        RabbitQueue queue = new RabbitQueue(broker, "classic");
        broker.deleteQueue(queue.name);

        try (RabbitInboxConsumer consumer = queue.consumer(database.inbox().build())
                .handler(InboxDatabase::effect)
                .build()
                .start()) {
            await().atMost(Gate.PATIENCE)
                    .until(() -> consumer.health().failure().orElse("").contains("no queue"));
            assertThat(consumer.health().state()).isEqualTo(ConsumerHealth.State.CONNECTING);
            assertThat(consumer.health().alive()).isTrue();

            broker.queue(queue.name);
            queue.send(List.of(TestMessage.of(0, "a", "m0")));
            database.awaitEffects(1);
            broker.deleteQueue(queue.name);
            await().atMost(Gate.PATIENCE).until(() -> consumer.health().state() == ConsumerHealth.State.CONNECTING);
            broker.queue(queue.name);
            queue.send(List.of(TestMessage.of(0, "a", "m1")));
            database.awaitEffects(2);
            queue.awaitAcknowledged(RabbitQueue.running(consumer));
        }
        assertThat(database.effects()).containsExactlyInAnyOrder("m0", "m1");
    }

    @Test
    void settingsThatAreMissingOrUnsafeAreRefused() {
        RabbitQueue queue = new RabbitQueue(broker, "classic");
        ConnectionFactory remote = new ConnectionFactory();
        remote.setHost("rabbit.example.com");
        RabbitInboxConsumer.Builder builder = queue.consumer(database.inbox().build());

        assertThatThrownBy(builder::build).hasMessageContaining("handler");
        assertThatThrownBy(() -> builder.prefetch(0)).hasMessageContaining("prefetch must be 1 to 65535");
        assertThatThrownBy(() -> builder.queue("or\0ders")).hasMessageContaining("none of them a control character");
        assertThatThrownBy(() -> RabbitInboxConsumer.builder(database.inbox().build(), "billing", remote)
                        .queue("q")
                        .handler(InboxDatabase::effect)
                        .build())
                .hasMessageContaining("would not be encrypted");
    }
}
