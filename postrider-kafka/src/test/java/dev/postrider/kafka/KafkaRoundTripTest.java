package dev.postrider.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postrider.OutboxMessage;
import dev.postrider.consumers.Gate;
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

/** From the publisher to an effect. {@link KafkaClientsTest} runs it with every supported client. */
final class KafkaRoundTripTest {

    private static final int MESSAGES = 60;
    private static final int KEYS = 6;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void everyMessageHasOneEffectInTheOrderOfItsKey(boolean transactional) {
        AtomicBoolean broken = new AtomicBoolean(true);
        Map<String, List<String>> handled = new ConcurrentHashMap<>();
        try (Inboxes site = new Inboxes(3, Kind.H2)) {
            publish(site, transactional);

            try (KafkaInboxConsumer consumer = site.consumer()
                    .threads(2)
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
                    .start()) {
                site.assertOneEffectEach(TestMessage.names(MESSAGES));
                await().atMost(Gate.PATIENCE)
                        .until(() -> consumer.health().waiting().isEmpty());
            }
            assertThat(site.database.failures()).hasSize(1);
        }
        IntStream.range(0, KEYS)
                .forEach(key -> assertThat(handled.get("key-" + key))
                        .containsExactlyElementsOf(IntStream.range(0, MESSAGES / KEYS)
                                .mapToObj(i -> "m" + (i * KEYS + key))
                                .toList()));
    }

    private static void publish(Inboxes site, boolean transactional) {
        List<OutboxMessage> messages = IntStream.range(0, MESSAGES)
                .mapToObj(i -> OutboxMessage.to(site.topic.name, "Test")
                        .key("key-" + i % KEYS)
                        .payload("m" + i)
                        .build())
                .toList();
        KafkaPublisherBuilder builder = site.topic.cluster.publisher();
        try (KafkaPublisher publisher = (transactional ? builder.transactional(site.topic.name) : builder).build()) {
            assertThat(Collected.publish(publisher, messages).kinds()).containsOnly(PublishResult.Kind.ACKED);
        }
    }
}
