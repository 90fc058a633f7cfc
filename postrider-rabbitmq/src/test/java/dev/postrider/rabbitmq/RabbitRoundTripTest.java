package dev.postrider.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OutboxMessage;
import dev.postrider.consumers.InboxDatabase;
import dev.postrider.consumers.TestMessage;
import dev.postrider.services.Database.Kind;
import dev.postrider.spi.PublishResult;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** From the publisher to an effect. {@link RabbitClientsTest} runs it with every supported client. */
final class RabbitRoundTripTest {

    private static final int MESSAGES = 60;
    private static final int KEYS = 6;

    @ParameterizedTest
    @ValueSource(strings = {"classic", "quorum"})
    void everyMessageHasOneEffectInTheOrderOfItsKey(String type) {
        AtomicBoolean broken = new AtomicBoolean(true);
        Map<String, List<String>> handled = new ConcurrentHashMap<>();
        try (InboxDatabase database = InboxDatabase.open(Kind.H2);
                RabbitQueue queue = new RabbitQueue(Broker.shared(), type)) {
            publish(queue);

            RabbitInboxConsumer consumer = queue.consumer(database.inbox().build())
                    .handler((message, transaction) -> {
                        InboxDatabase.effect(message, transaction);
                        if (InboxDatabase.text(message).equals("m7") && broken.compareAndSet(true, false)) {
                            throw new IllegalStateException("not now");
                        }
                        handled.computeIfAbsent(
                                        message.key().orElseThrow(),
                                        key -> Collections.synchronizedList(new ArrayList<>()))
                                .add(InboxDatabase.text(message));
                    })
                    .build()
                    .start();
            database.awaitEffects(MESSAGES);
            queue.awaitAcknowledged(RabbitQueue.running(consumer));
            assertThat(database.effects()).containsExactlyInAnyOrderElementsOf(TestMessage.names(MESSAGES));
            assertThat(database.failures()).hasSize(1);
        }
        IntStream.range(0, KEYS)
                .forEach(key -> assertThat(handled.get("key-" + key))
                        .containsExactlyElementsOf(IntStream.range(0, MESSAGES / KEYS)
                                .mapToObj(i -> "m" + (i * KEYS + key))
                                .toList()));
    }

    private static void publish(RabbitQueue queue) {
        queue.broker.exchange(queue.name).bind(queue.name, queue.name);
        try (RabbitPublisher publisher = RabbitPublisher.builder(queue.broker.factory())
                .confirmTimeout(Answers.PATIENCE)
                .build()) {
            for (int i = 0; i < MESSAGES; i++) {
                OutboxMessage message = OutboxMessage.to(queue.name, "Test")
                        .key("key-" + i % KEYS)
                        .payload("m" + i)
                        .build();
                assertThat(Answers.of(publisher, message)).isEqualTo(PublishResult.acked());
            }
        }
    }
}
