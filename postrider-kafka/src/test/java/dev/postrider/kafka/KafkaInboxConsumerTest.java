package dev.postrider.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.postrider.OutboxMessage;
import dev.postrider.admin.Decision;
import dev.postrider.inbox.ParkReason;
import dev.postrider.inbox.ParkedMessage;
import dev.postrider.inbox.ReceivedMessage;
import dev.postrider.inbox.consumer.ConsumerHealth;
import dev.postrider.services.Database.Kind;
import dev.postrider.spi.PublishResult;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A consumer between a real broker and a real inbox. */
@Tag("R0.7")
final class KafkaInboxConsumerTest {

    private @Nullable Inboxes opened;

    private Inboxes open(Kind kind, int partitions) {
        Inboxes inboxes = new Inboxes(Cluster.shared(), kind, partitions);
        opened = inboxes;
        return inboxes;
    }

    @AfterEach
    void close() {
        if (opened != null) {
            opened.close();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_15", "MARIADB"})
    @Tag("I1")
    @Tag("I2")
    void aMessageHasOneEffectHoweverOftenItIsSentAndRead(Kind kind) {
        Inboxes site = open(kind, 3);
        List<ProducerRecord<byte[], byte[]>> twice = new ArrayList<>(site.messages(100, 3));
        // The second copies are in other partitions, so that both may be in hand at the same time.
        for (int i = 0; i < 100; i++) {
            twice.add(site.message((i + 1) % 3, null, "m" + i, "m" + i));
        }
        Collections.shuffle(twice, new Random(42));
        site.cluster.send(twice);

        try (KafkaInboxConsumer consumer =
                site.consumer().threads(2).handler(Desk::effect).build().start()) {
            site.assertOneEffectEach(Inboxes.names(100));
            // One thread may have done everything before the other has joined.
            await().atMost(Inboxes.PATIENCE).until(() -> consumer.health().state() == ConsumerHealth.State.RUNNING);
        }
        assertThat(site.desk.duplicates).hasValue(100);

        // Another group has committed nothing: everything is read once more.
        try (KafkaInboxConsumer again = site.consumer()
                .groupId(site.group + "-again")
                .handler(Desk::effect)
                .build()
                .start()) {
            await().atMost(Inboxes.PATIENCE)
                    .until(() -> site.cluster.uncommitted(site.group + "-again", site.topic) == 0);
            assertThat(again.health().alive()).isTrue();
        }
        assertThat(site.desk.duplicates).hasValue(300);
        assertThat(site.desk.effects()).hasSize(100);
    }

    @Test
    void aConsumerRunsWhileItsFirstMessageIsUnderWay() throws InterruptedException {
        Inboxes site = open(Kind.POSTGRES_15, 1);
        Inboxes.Gate gate = new Inboxes.Gate("m0");
        site.cluster.send(site.messages(1, 1));

        try (KafkaInboxConsumer consumer =
                site.consumer().handler(gate::handle).build().start()) {
            gate.awaitReached();

            // The handler may begin before the consuming thread has counted the message.
            await().atMost(Inboxes.PATIENCE).until(() -> consumer.health().inHand() == 1);
            assertThat(consumer.health().state()).isEqualTo(ConsumerHealth.State.RUNNING);
            gate.open();
            site.assertOneEffectEach(Inboxes.names(1));
        }
    }

    @Test
    @Tag("B1")
    void aFailureHoldsUpItsPartitionOnlyAndItsOrderIsKept() {
        Inboxes site = open(Kind.POSTGRES_15, 2);
        AtomicBoolean broken = new AtomicBoolean(true);
        site.cluster.send(site.messages(40, 2));

        try (KafkaInboxConsumer consumer = site.consumer(
                        site.desk.inbox().parkAfter(1_000_000).build())
                .handler((message, transaction) -> {
                    Desk.effect(message, transaction);
                    if (broken.get() && Desk.text(message).equals("m4")) {
                        throw new IllegalStateException("not now");
                    }
                })
                .build()
                .start()) {
            site.awaitEffects(22);
            await().atMost(Inboxes.PATIENCE).until(() -> site.desk.failures.get() >= 5);

            // All of partition 1, and of partition 0 what is before the one that fails.
            assertThat(site.desk.effects())
                    .hasSize(22)
                    .contains("m0", "m2", "m39")
                    .doesNotContain("m4", "m6");
            assertThat(consumer.health().waiting()).containsExactly(site.topic + "-0@2");
            assertThat(consumer.health().failure()).isPresent();

            broken.set(false);
            site.assertOneEffectEach(Inboxes.names(40));
            await().atMost(Inboxes.PATIENCE)
                    .until(() -> consumer.health().failure().isEmpty());
        }
        assertThat(site.desk.parked).isEmpty();
        assertThat(site.desk.duplicates).hasValue(0);
    }

    @Test
    @Tag("I3")
    @Tag("I10")
    void aMessageThatAlwaysFailsIsParkedWithThoseOfItsKeyBehindItUntilItIsReleased() {
        Inboxes site = open(Kind.POSTGRES_15, 1);
        AtomicBoolean broken = new AtomicBoolean(true);
        site.cluster.send(List.of(
                site.message(0, "a", "a1", "a1"),
                site.message(0, "b", "b1", "b1"),
                site.message(0, "a", "a2", "a2"),
                site.message(0, "b", "b2", "b2")));

        try (KafkaInboxConsumer consumer = site.consumer(
                        site.desk.inbox().parkAfter(3).build())
                .handler((message, transaction) -> {
                    Desk.effect(message, transaction);
                    if (broken.get() && Desk.text(message).equals("a1")) {
                        throw new IllegalStateException("never");
                    }
                })
                .build()
                .start()) {
            site.assertOneEffectEach(List.of("b1", "b2"));
            assertThat(site.desk.parked).containsExactly(ParkReason.FAILED, ParkReason.BEHIND);
            assertThat(site.desk.failures.get()).isBetween(2, 3);
            assertThat(site.desk.admin().parked(Desk.CONSUMER, 0, 10))
                    .extracting(ParkedMessage::messageId)
                    .containsExactly("a1", "a2");
            assertThat(consumer.health().waiting()).isEmpty();

            broken.set(false);
            site.desk.admin().release(Desk.CONSUMER, List.of("a1"), new Decision("operator", "repaired"));
            site.awaitEffects(4);
        }
        assertThat(site.desk.effects()).containsExactlyInAnyOrder("b1", "b2", "a1", "a2");
    }

    @Test
    @Tag("I3")
    void aMessageWithoutAnIdIsParkedUnlessTheOffsetMayBeItsId() {
        Inboxes site = open(Kind.POSTGRES_15, 1);
        site.cluster.send(List.of(site.message(0, null, null, "nameless"), site.message(0, null, "m1", "named")));

        try (KafkaInboxConsumer consumer =
                site.consumer().handler(Desk::effect).build().start()) {
            site.assertOneEffectEach(List.of("named"));
            assertThat(consumer.health().waiting()).isEmpty();
        }
        assertThat(site.desk.parked).containsExactly(ParkReason.NO_ID);

        try (KafkaInboxConsumer byOffset = site.consumer()
                .groupId(site.group + "-by-offset")
                .idFromOffset()
                .handler(Desk::effect)
                .build()
                .start()) {
            site.awaitEffects(2);
            assertThat(byOffset.health().waiting()).isEmpty();
        }
        assertThat(site.desk.strings("select message_id from effect"))
                .containsExactlyInAnyOrder("m1", site.topic + "-0@0");
    }

    @Test
    @Tag("I8")
    void aBatchIsHandledTogetherAndABadMessageTakesNobodyDown() {
        Inboxes site = open(Kind.POSTGRES_15, 2);
        List<Integer> sizes = Collections.synchronizedList(new ArrayList<>());
        site.cluster.send(site.messages(100, 2));

        try (KafkaInboxConsumer consumer = site.consumer(
                        site.desk.inbox().parkAfter(2).build())
                .batchHandler(20, (messages, transaction) -> {
                    sizes.add(messages.size());
                    Desk.effects(messages, transaction);
                    if (messages.stream().map(Desk::text).anyMatch("m31"::equals)) {
                        throw new IllegalStateException("never");
                    }
                })
                .build()
                .start()) {
            List<String> good = new ArrayList<>(Inboxes.names(100));
            good.remove("m31");
            site.assertOneEffectEach(good);
            assertThat(consumer.health().inHand()).isZero();
        }
        assertThat(sizes).contains(20);
        assertThat(site.desk.parked).containsExactly(ParkReason.FAILED);
    }

    @Test
    @Tag("I3")
    void closingEndsTheHandlerUnderWayAndLosesAndRepeatsNothing() throws Exception {
        Inboxes site = open(Kind.POSTGRES_15, 2);
        Inboxes.Gate gate = new Inboxes.Gate("m20");
        site.cluster.send(site.messages(60, 2));

        KafkaInboxConsumer first = site.consumer().handler(gate::handle).build().start();
        gate.awaitReached();
        CompletableFuture<Void> closing = CompletableFuture.runAsync(first::close);
        await().atMost(Inboxes.PATIENCE).until(() -> first.health().state() == ConsumerHealth.State.CLOSED);
        assertThat(closing).isNotDone();
        gate.open();
        closing.join();

        int handled = site.desk.effects().size();
        assertThat(site.desk.effects()).contains("m20").hasSizeLessThan(60);
        assertThat(site.cluster.uncommitted(site.group, site.topic)).isEqualTo(60 - handled);

        try (KafkaInboxConsumer second =
                site.consumer().handler(Desk::effect).build().start()) {
            site.assertOneEffectEach(Inboxes.names(60));
            assertThat(second.health().alive()).isTrue();
        }
        assertThat(site.desk.duplicates).hasValue(0);
    }

    @Test
    @Tag("I4")
    void whatAHandlerEnqueuesIsInItsTransaction() {
        Inboxes site = open(Kind.POSTGRES_15, 1);
        AtomicBoolean broken = new AtomicBoolean(true);
        site.cluster.send(site.messages(3, 1));

        try (KafkaInboxConsumer consumer = site.consumer()
                .handler((message, transaction) -> {
                    Desk.effect(message, transaction);
                    transaction.enqueue(OutboxMessage.to("invoices", "Invoice")
                            .key(message.key().orElseThrow())
                            .payload("for " + Desk.text(message))
                            .build());
                    if (broken.compareAndSet(true, false)) {
                        throw new IllegalStateException("once, after the enqueue");
                    }
                })
                .build()
                .start()) {
            site.assertOneEffectEach(Inboxes.names(3));
            assertThat(consumer.health().alive()).isTrue();
        }
        assertThat(site.desk.failures).hasValue(1);
        assertThat(site.desk.strings("select message_key from outbox_message order by seq"))
                .containsExactly("key-0", "key-1", "key-2");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatOurPublisherSentArrivesWithEverything(boolean transactional) {
        Inboxes site = open(Kind.POSTGRES_15, 1);
        OutboxMessage sent = OutboxMessage.to("orders", "OrderPlaced")
                .key("order-1")
                .header("correlation-id", "c-1")
                .payload("{}")
                .build();
        List<ReceivedMessage> received = Collections.synchronizedList(new ArrayList<>());
        KafkaPublisherBuilder builder = site.cluster.publisher().topic(site.topic);
        try (KafkaPublisher publisher = (transactional ? builder.transactional(site.topic) : builder).build()) {
            assertThat(Collected.result(publisher, sent).kind()).isEqualTo(PublishResult.Kind.ACKED);
        }

        try (KafkaInboxConsumer consumer = site.consumer()
                .handler((message, transaction) -> received.add(message))
                .build()
                .start()) {
            await().atMost(Inboxes.PATIENCE).until(() -> received.size() == 1);
            // Nor does the end of a transaction make the group seem to lag.
            await().atMost(Inboxes.PATIENCE).until(() -> site.cluster.uncommitted(site.group, site.topic) == 0);
            assertThat(consumer.health().lag()).hasValue(0);
        }
        ReceivedMessage message = received.get(0);
        assertThat(message.id()).hasValue(sent.id().toString());
        assertThat(message.topic()).isEqualTo("orders");
        assertThat(message.key()).hasValue("order-1");
        assertThat(message.type()).hasValue("OrderPlaced");
        assertThat(message.sequence()).isPresent();
        assertThat(message.source()).hasValue(site.topic + "-0@0");
        assertThat(message.headers()).containsEntry("correlation-id", "c-1");
        assertThat(Desk.text(message)).isEqualTo("{}");
    }

    @Test
    void memberWithoutAPartitionSaysThatNothingIsAssigned() {
        Inboxes site = open(Kind.POSTGRES_15, 1);
        site.cluster.send(site.messages(3, 1));

        try (KafkaInboxConsumer first =
                site.consumer().handler(Desk::effect).build().start()) {
            site.assertOneEffectEach(Inboxes.names(3));
            await().atMost(Inboxes.PATIENCE).until(() -> first.health().lag().equals(OptionalLong.of(0)));
            assertThat(first.health().state()).isEqualTo(ConsumerHealth.State.RUNNING);

            try (KafkaInboxConsumer second =
                    site.consumer().handler(Desk::effect).build().start()) {
                await().atMost(Inboxes.PATIENCE).until(() -> site.cluster.members(site.group) == 2);
                await().atMost(Inboxes.PATIENCE)
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
        Inboxes site = open(Kind.POSTGRES_15, 1);

        try (KafkaInboxConsumer consumer = site.consumer()
                .topics(site.topic + "-missing")
                .handler(Desk::effect)
                .build()
                .start()) {
            await().atMost(Inboxes.PATIENCE).until(() -> consumer.health().state() == ConsumerHealth.State.UNASSIGNED);
            assertThat(consumer.health().lag()).isEmpty();
        }
    }

    @Test
    @Tag("I3")
    void messageWithAMalformedTopicIsParkedAndHoldsUpNothing() {
        Inboxes site = open(Kind.POSTGRES_15, 1);
        List<ProducerRecord<byte[], byte[]>> malformed = new ArrayList<>();
        for (String topic : List.of("or\0ders", "x".repeat(300))) {
            ProducerRecord<byte[], byte[]> each = site.message(0, "key-" + topic.length(), "bad" + topic.length(), "bad");
            each.headers().add("postrider-topic", topic.getBytes(StandardCharsets.UTF_8));
            malformed.add(each);
        }
        site.cluster.send(malformed);
        site.cluster.send(site.messages(3, 1));

        try (KafkaInboxConsumer consumer = site.consumer(
                        site.desk.inbox().parkAfter(2).build())
                .handler(Desk::effect)
                .build()
                .start()) {
            site.assertOneEffectEach(Inboxes.names(3));
            assertThat(consumer.health().alive()).isTrue();
        }
        assertThat(site.desk.strings("select error from inbox_failure order by place"))
                .hasSize(2)
                .allMatch(error -> error.contains("postrider-topic"));
    }

    @Test
    void settingsThatContradictAPromiseAreRefused() {
        Inboxes site = open(Kind.POSTGRES_15, 1);

        assertThatThrownBy(() -> site.consumer()
                        .handler(Desk::effect)
                        .property("enable.auto.commit", true)
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("enable.auto.commit must be false but was 'true'");
        assertThatThrownBy(() -> site.consumer().build()).hasMessageContaining("handler");
        assertThatThrownBy(() -> site.consumer()
                        .handler(Desk::effect)
                        .property("bootstrap.servers", "kafka.example.com:9092")
                        .build())
                .hasMessageContaining("unencrypted");
        assertThatThrownBy(() -> site.consumer().threads(0)).hasMessageContaining("threads must be 1 to 256 but was 0");
    }
}
