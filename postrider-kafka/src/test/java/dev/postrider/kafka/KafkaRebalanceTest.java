package dev.postrider.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postrider.consumers.Gate;
import dev.postrider.consumers.InboxDatabase;
import dev.postrider.consumers.TestMessage;
import dev.postrider.inbox.InboxTransaction;
import dev.postrider.inbox.ReceivedMessage;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Partitions that change hands while their records are handled. */
@Tag("R0.7")
@Tag("I1")
final class KafkaRebalanceTest {

    private static final String COOPERATIVE = "org.apache.kafka.clients.consumer.CooperativeStickyAssignor";
    private static final String EAGER = "org.apache.kafka.clients.consumer.RangeAssignor";

    private final Inboxes inboxes = new Inboxes(4);

    @AfterEach
    void close() {
        inboxes.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {EAGER, COOPERATIVE})
    @Tag("I2")
    void consumersThatComeAndGoInTheMiddleOfALoadMakeOneEffectEach(String assignor) {
        inboxes.send(100);
        AtomicInteger sent = new AtomicInteger(100);
        Set<String> late = ConcurrentHashMap.newKeySet();

        try (KafkaInboxConsumer first = consumer(assignor)
                .handler(KafkaRebalanceTest::unhurried)
                .build()
                .start()) {
            inboxes.database.awaitEffects(50);
            try (KafkaInboxConsumer second = consumer(assignor)
                    .threads(2)
                    .handler((message, transaction) -> {
                        unhurried(message, transaction);
                        late.add(InboxDatabase.text(message));
                    })
                    .build()
                    .start()) {
                // There must be something left to do however long it takes to join.
                await().atMost(Gate.PATIENCE).until(() -> {
                    inboxes.send(sent.getAndAdd(30), 30);
                    return late.size() > 20;
                });
                assertThat(second.health().alive()).isTrue();
            }
            inboxes.assertOneEffectEach(TestMessage.names(sent.get()));
            assertThat(first.health().alive()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {EAGER, COOPERATIVE})
    @Tag("I3")
    void recordsOfARevokedPartitionAreLeftToTheNewOwner(String assignor) throws InterruptedException {
        Gate gate = new Gate("m8");
        Set<String> byTheSecond = ConcurrentHashMap.newKeySet();
        inboxes.send(400);

        try (KafkaInboxConsumer first = consumer(assignor)
                .handler((message, transaction) -> {
                    pause();
                    gate.handle(message, transaction);
                })
                .build()
                .start()) {
            gate.awaitReached();
            try (KafkaInboxConsumer second = consumer(assignor)
                    .handler((message, transaction) -> {
                        byTheSecond.add(InboxDatabase.text(message));
                        InboxDatabase.effect(message, transaction);
                    })
                    .build()
                    .start()) {
                await().atMost(Gate.PATIENCE).until(() -> inboxes.topic.cluster.members(inboxes.topic.group) == 2);
                gate.open();
                inboxes.assertOneEffectEach(TestMessage.names(400));
                assertThat(second.health().alive()).isTrue();
            }
            assertThat(first.health().alive()).isTrue();
        }
        // What one of them had in hand and lost, it did not even try.
        assertThat(byTheSecond).isNotEmpty();
        assertThat(gate.handled()).doesNotContainAnyElementsOf(byTheSecond);
        assertThat(inboxes.database.duplicates()).isZero();
    }

    @Test
    void aHandlerThatIsTooSlowForTheGroupHasNoSecondEffect() throws InterruptedException {
        Gate gate = new Gate("m0");
        inboxes.send(8);

        try (KafkaInboxConsumer slow = consumer(EAGER)
                .property("max.poll.interval.ms", 1_000)
                .handler(gate::handle)
                .build()
                .start()) {
            gate.awaitReached();
            assertThat(slow.health().underWay()).isPositive();
            try (KafkaInboxConsumer other =
                    consumer(EAGER).handler(InboxDatabase::effect).build().start()) {
                // The slow one is thrown out; the other gets its record and waits for the mark it has made.
                await().atMost(Gate.PATIENCE)
                        .until(() -> other.health().underWay().compareTo(Duration.ofSeconds(1)) > 0);
                gate.open();
                inboxes.assertOneEffectEach(TestMessage.names(8));
            }
        }
        assertThat(inboxes.database.duplicates()).isPositive();
    }

    // A member hears of a rebalance by a heartbeat: there must be something left to do by then.
    private KafkaInboxConsumerBuilder consumer(String assignor) {
        return inboxes.consumer()
                .property("partition.assignment.strategy", assignor)
                .property("heartbeat.interval.ms", 100);
    }

    private static void unhurried(ReceivedMessage message, InboxTransaction transaction) throws SQLException {
        pause();
        InboxDatabase.effect(message, transaction);
    }

    private static void pause() {
        LockSupport.parkNanos(Duration.ofMillis(8).toNanos());
    }
}
