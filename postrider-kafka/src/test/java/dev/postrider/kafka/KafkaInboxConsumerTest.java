package dev.postrider.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.postrider.OutboxMessage;
import dev.postrider.consumers.Gate;
import dev.postrider.consumers.InboxDatabase;
import dev.postrider.consumers.TestMessage;
import dev.postrider.inbox.ParkReason;
import dev.postrider.inbox.ReceivedMessage;
import dev.postrider.inbox.consumer.ConsumerHealth;
import dev.postrider.spi.PublishResult;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a consumer of Kafka does beyond the contract of all consumers. */
@Tag("R0.7")
final class KafkaInboxConsumerTest {

    private @Nullable Inboxes opened;

    private Inboxes open(int partitions) {
        Inboxes inboxes = new Inboxes(partitions);
        opened = inboxes;
        return inboxes;
    }

    @AfterEach
    void close() {
        if (opened != null) {
            opened.close();
        }
    }

    @Test
    @Tag("I1")
    void recordsThatAnotherGroupReadsAgainHaveNoSecondEffect() {
        Inboxes site = open(3);
        site.send(50);
        try (KafkaInboxConsumer consumer =
                site.consumer().handler(InboxDatabase::effect).build().start()) {
            site.assertOneEffectEach(TestMessage.names(50));
            assertThat(consumer.health().alive()).isTrue();
        }

        String other = site.topic.group + "-again";
        try (KafkaInboxConsumer again = site.consumer()
                .groupId(other)
                .handler(InboxDatabase::effect)
                .build()
                .start()) {
            site.topic.awaitCommitted(other);
            assertThat(again.health().alive()).isTrue();
        }
        assertThat(site.database.duplicates()).isEqualTo(50);
        assertThat(site.database.effects()).hasSize(50);
    }

    @Test
    @Tag("B1")
    void recordsBeforeTheOneThatFailsAreHandledAndThoseBehindItWait() {
        Inboxes site = open(1);
        site.send(4);

        try (KafkaInboxConsumer consumer = site.topic
                .consumer(site.database.inbox().parkAfter(1_000_000).build())
                .handler((message, transaction) -> {
                    InboxDatabase.effect(message, transaction);
                    if (InboxDatabase.text(message).equals("m2")) {
                        throw new IllegalStateException("never");
                    }
                })
                .build()
                .start()) {
            await().atMost(Gate.PATIENCE)
                    .until(() -> consumer.health().waiting().equals(List.of(site.topic.name + "-0@2")));
            assertThat(site.database.effects()).containsExactlyInAnyOrder("m0", "m1");
        }
        // What is done is committed, and the one that fails is not.
        assertThat(site.topic.cluster.uncommitted(site.topic.group, site.topic.name))
                .isEqualTo(2);
    }

    @Test
    @Tag("I3")
    void recordWithoutAnIdMayBeNamedByItsOffset() {
        Inboxes site = open(1);
        site.topic.send(List.of(TestMessage.nameless("nameless"), TestMessage.of(0, "key", "m1")));

        try (KafkaInboxConsumer consumer =
                site.consumer().handler(InboxDatabase::effect).build().start()) {
            site.assertOneEffectEach(List.of("m1"));
            assertThat(consumer.health().waiting()).isEmpty();
        }
        assertThat(site.database.parked()).containsExactly(ParkReason.NO_ID);

        try (KafkaInboxConsumer byOffset = site.consumer()
                .groupId(site.topic.group + "-by-offset")
                .idFromOffset()
                .handler(InboxDatabase::effect)
                .build()
                .start()) {
            site.database.awaitEffects(2);
            assertThat(byOffset.health().waiting()).isEmpty();
        }
        assertThat(site.database.strings("select message_id from effect"))
                .containsExactlyInAnyOrder("m1", site.topic.source());
    }

    @Test
    void recordOfATransactionArrivesAndTheEndOfTheTransactionIsNoLag() {
        Inboxes site = open(1);
        OutboxMessage sent = OutboxMessage.to("orders", "OrderPlaced")
                .key("order-1")
                .payload("{}")
                .build();
        List<ReceivedMessage> received = Collections.synchronizedList(new ArrayList<>());
        try (KafkaPublisher publisher = site.topic
                .cluster
                .publisher()
                .topic(site.topic.name)
                .transactional(site.topic.name)
                .build()) {
            assertThat(Collected.result(publisher, sent).kind()).isEqualTo(PublishResult.Kind.ACKED);
        }

        try (KafkaInboxConsumer consumer = site.consumer()
                .handler((message, transaction) -> received.add(message))
                .build()
                .start()) {
            await().atMost(Gate.PATIENCE).until(() -> received.size() == 1);
            site.topic.awaitCommitted(site.topic.group);
            await().atMost(Gate.PATIENCE).until(() -> consumer.health().lag().equals(OptionalLong.of(0)));
        }
        assertThat(received.get(0).id()).hasValue(sent.id().toString());
    }

    @Test
    void memberWithoutAPartitionSaysThatNothingIsAssigned() {
        Inboxes site = open(1);
        site.send(3);

        try (KafkaInboxConsumer first =
                site.consumer().handler(InboxDatabase::effect).build().start()) {
            site.assertOneEffectEach(TestMessage.names(3));
            await().atMost(Gate.PATIENCE).until(() -> first.health().lag().equals(OptionalLong.of(0)));
            assertThat(first.health().state()).isEqualTo(ConsumerHealth.State.RUNNING);

            try (KafkaInboxConsumer second =
                    site.consumer().handler(InboxDatabase::effect).build().start()) {
                await().atMost(Gate.PATIENCE).until(() -> site.topic.cluster.members(site.topic.group) == 2);
                await().atMost(Gate.PATIENCE)
                        .until(() -> Stream.of(first, second)
                                .map(KafkaInboxConsumer::health)
                                .map(ConsumerHealth::state)
                                .collect(Collectors.toSet())
                                .equals(Set.of(ConsumerHealth.State.RUNNING, ConsumerHealth.State.UNASSIGNED)));
                assertThat(Stream.of(first, second).map(KafkaInboxConsumer::health))
                        .filteredOn(health -> health.state() == ConsumerHealth.State.UNASSIGNED)
                        .allMatch(health -> health.lag().isEmpty() && health.alive());
            }
        }
    }

    @Test
    void consumerOfAMissingTopicSaysThatNothingIsAssigned() {
        Inboxes site = open(1);

        try (KafkaInboxConsumer consumer = site.consumer()
                .topics(site.topic.name + "-missing")
                .handler(InboxDatabase::effect)
                .build()
                .start()) {
            await().atMost(Gate.PATIENCE).until(() -> consumer.health().state() == ConsumerHealth.State.UNASSIGNED);
            assertThat(consumer.health().lag()).isEmpty();
        }
    }

    @Test
    void settingsThatContradictAPromiseAreRefused() {
        Inboxes site = open(1);

        assertThatThrownBy(() -> site.consumer()
                        .handler(InboxDatabase::effect)
                        .property("enable.auto.commit", true)
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("enable.auto.commit must be false but was 'true'");
        assertThatThrownBy(() -> site.consumer().build()).hasMessageContaining("handler");
        assertThatThrownBy(() -> site.consumer()
                        .handler(InboxDatabase::effect)
                        .property("bootstrap.servers", "kafka.example.com:9092")
                        .build())
                .hasMessageContaining("unencrypted");
        assertThatThrownBy(() -> site.consumer().threads(0)).hasMessageContaining("threads must be 1 to 256 but was 0");
    }
}
