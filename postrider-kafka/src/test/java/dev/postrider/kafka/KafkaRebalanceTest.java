package dev.postrider.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postrider.inbox.InboxTransaction;
import dev.postrider.inbox.ReceivedMessage;
import dev.postrider.services.Database.Kind;
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

    private final Inboxes inboxes = new Inboxes(Cluster.shared(), Kind.POSTGRES_15, 4);

    @AfterEach
    void close() {
        inboxes.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {EAGER, COOPERATIVE})
    @Tag("I2")
    void consumersThatComeAndGoInTheMiddleOfALoadMakeOneEffectEach(String assignor) {
        inboxes.cluster.send(inboxes.messages(0, 100, 4));
        AtomicInteger sent = new AtomicInteger(100);
        Set<String> late = ConcurrentHashMap.newKeySet();

        try (KafkaInboxConsumer first = consumer(assignor)
                .handler(KafkaRebalanceTest::unhurried)
                .build()
                .start()) {
            inboxes.awaitEffects(50);
            try (KafkaInboxConsumer second = consumer(assignor)
                    .threads(2)
                    .handler((message, transaction) -> {
                        unhurried(message, transaction);
                        late.add(Desk.text(message));
                    })
                    .build()
                    .start()) {
                // There must be something left to do however long it takes to join.
                await().atMost(Inboxes.PATIENCE).until(() -> {
                    inboxes.cluster.send(inboxes.messages(sent.getAndAdd(30), 30, 4));
                    return late.size() > 20;
                });
                assertThat(second.health().alive()).isTrue();
            }
            inboxes.assertOneEffectEach(Inboxes.names(sent.get()));
            assertThat(first.health().alive()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {EAGER, COOPERATIVE})
    @Tag("I3")
    void recordsOfARevokedPartitionAreLeftToTheNewOwner(String assignor) throws InterruptedException {
        Inboxes.Gate gate = new Inboxes.Gate("m8");
        Set<String> byTheSecond = ConcurrentHashMap.newKeySet();
        inboxes.cluster.send(inboxes.messages(400, 4));

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
                        byTheSecond.add(Desk.text(message));
                        Desk.effect(message, transaction);
                    })
                    .build()
                    .start()) {
                await().atMost(Inboxes.PATIENCE).until(() -> inboxes.cluster.members(inboxes.group) == 2);
                gate.open();
                inboxes.assertOneEffectEach(Inboxes.names(400));
                assertThat(second.health().alive()).isTrue();
            }
            assertThat(first.health().alive()).isTrue();
        }
        // What one of them had in hand and lost, it did not even try.
        assertThat(byTheSecond).isNotEmpty();
        assertThat(gate.handled).doesNotContainAnyElementsOf(byTheSecond);
        assertThat(inboxes.desk.duplicates).hasValue(0);
    }

    @Test
    void aHandlerThatIsTooSlowForTheGroupHasNoSecondEffect() throws InterruptedException {
        Inboxes.Gate gate = new Inboxes.Gate("m0");
        inboxes.cluster.send(inboxes.messages(8, 4));

        try (KafkaInboxConsumer slow = consumer(EAGER)
                .property("max.poll.interval.ms", 1_000)
                .handler(gate::handle)
                .build()
                .start()) {
            gate.awaitReached();
            assertThat(slow.health().underWay()).isPositive();
            try (KafkaInboxConsumer other =
                    consumer(EAGER).handler(Desk::effect).build().start()) {
                // The slow one is thrown out; the other gets its record and waits for the mark it has made.
                await().atMost(Inboxes.PATIENCE)
                        .until(() -> other.health().underWay().compareTo(Duration.ofSeconds(1)) > 0);
                gate.open();
                inboxes.assertOneEffectEach(Inboxes.names(8));
            }
        }
        assertThat(inboxes.desk.duplicates.get()).isPositive();
    }

    // A member hears of a rebalance by a heartbeat: there must be something left to do by then.
    private KafkaInboxConsumerBuilder consumer(String assignor) {
        return inboxes.consumer()
                .property("partition.assignment.strategy", assignor)
                .property("heartbeat.interval.ms", 100);
    }

    private static void unhurried(ReceivedMessage message, InboxTransaction transaction) throws SQLException {
        pause();
        Desk.effect(message, transaction);
    }

    private static void pause() {
        LockSupport.parkNanos(Duration.ofMillis(8).toNanos());
    }
}
