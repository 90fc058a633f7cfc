package dev.postrider.consumers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postrider.admin.Decision;
import dev.postrider.inbox.InboxException;
import dev.postrider.inbox.ParkReason;
import dev.postrider.inbox.ParkedMessage;
import dev.postrider.services.Database.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a consumer does with messages that fail, now or always. */
@Tag("R0.7")
abstract class FailureContract extends ConsumerSteps {

    @Test
    @Tag("B1")
    void failingMessageHoldsUpItsOwnOrderOnlyUntilItsHandlerSucceeds() {
        TestBroker broker = open(2);
        InboxDatabase database = open(Kind.POSTGRES_15);
        AtomicBoolean broken = new AtomicBoolean(true);
        List<String> ofTheKey = Collections.synchronizedList(new ArrayList<>());
        broker.send(List.of(TestMessage.of(0, "bad", "b1"), TestMessage.of(0, "bad", "b2")));
        broker.send(TestMessage.numbered(40, 1).stream()
                .map(each -> new TestMessage(1, each.key(), each.id(), each.payload(), each.headers()))
                .toList());
        broker.send(List.of(TestMessage.of(0, "bad", "b3")));

        try (RunningConsumer consumer = broker.start(ConsumerPlan.of(
                database.inbox().parkAfter(1_000_000).build(), (message, transaction) -> {
                    InboxDatabase.effect(message, transaction);
                    if (message.key().orElseThrow().equals("bad")) {
                        if (broken.get()) {
                            throw new IllegalStateException("not now");
                        }
                        ofTheKey.add(InboxDatabase.text(message));
                    }
                }))) {
            database.awaitEffects(40);
            await().atMost(Gate.PATIENCE).until(() -> database.failures().size() >= 5);
            await().atMost(Gate.PATIENCE)
                    .until(() -> consumer.health().waiting().equals(List.of(broker.source())));
            assertThat(consumer.health().failure()).isPresent();
            assertThat(database.effects()).containsExactlyInAnyOrderElementsOf(TestMessage.names(40));
            assertThat(database.strings("select message_id from inbox_failure")).containsExactly("b1");

            broken.set(false);
            database.awaitEffects(43);
            await().atMost(Gate.PATIENCE)
                    .until(() -> consumer.health().failure().isEmpty());
            List<String> all = new ArrayList<>(TestMessage.names(40));
            all.addAll(List.of("b1", "b2", "b3"));
            assertOneEffectEach(all, consumer);
        }
        assertThat(ofTheKey).containsExactly("b1", "b2", "b3");
        assertThat(database.parked()).isEmpty();
        assertThat(database.duplicates()).isZero();
        assertThat(database.failures()).containsOnly(InboxException.Reason.HANDLER_FAILED);
    }

    @Test
    @Tag("I3")
    @Tag("I10")
    void messageThatAlwaysFailsIsParkedWithThoseOfItsKeyBehindItUntilItIsReleased() {
        TestBroker broker = open(1);
        InboxDatabase database = open(Kind.POSTGRES_15);
        AtomicBoolean broken = new AtomicBoolean(true);
        broker.send(List.of(
                TestMessage.of(0, "a", "a1"),
                TestMessage.of(0, "b", "b1"),
                TestMessage.of(0, "a", "a2"),
                TestMessage.of(0, "b", "b2")));

        try (RunningConsumer consumer =
                broker.start(ConsumerPlan.of(database.inbox().parkAfter(3).build(), (message, transaction) -> {
                    InboxDatabase.effect(message, transaction);
                    if (broken.get() && InboxDatabase.text(message).equals("a1")) {
                        throw new IllegalStateException("never");
                    }
                }))) {
            awaitParked(database, 2);
            database.awaitEffects(2);
            assertThat(database.effects()).containsExactlyInAnyOrder("b1", "b2");
            assertThat(database.parked()).containsExactly(ParkReason.FAILED, ParkReason.BEHIND);
            assertThat(database.failures()).hasSize(2);
            assertThat(database.admin().parked(InboxDatabase.CONSUMER, 0, 10))
                    .extracting(ParkedMessage::messageId)
                    .containsExactly("a1", "a2");
            await().atMost(Gate.PATIENCE)
                    .until(() -> consumer.health().waiting().isEmpty());

            broken.set(false);
            release(database, "a1");
            assertOneEffectEach(List.of("b1", "b2", "a1", "a2"), consumer);
        }
    }

    @Test
    @Tag("I3")
    void messageWithoutAnIdIsParkedWithItsPayload() {
        TestBroker broker = open(1);
        InboxDatabase database = open(Kind.POSTGRES_15);
        broker.send(List.of(
                TestMessage.nameless("nameless"), TestMessage.nameless("nameless too"), TestMessage.of(0, "a", "m0")));

        try (RunningConsumer consumer =
                broker.start(ConsumerPlan.of(database.inbox().build(), InboxDatabase::effect))) {
            awaitParked(database, 2);
            assertOneEffectEach(List.of("m0"), consumer);
        }
        assertThat(database.admin().parked(InboxDatabase.CONSUMER, 0, 10))
                .allMatch(parked -> parked.reason() == ParkReason.NO_ID)
                .extracting(parked -> InboxDatabase.text(parked.message()))
                .containsExactlyInAnyOrder("nameless", "nameless too");
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_15", "MARIADB", "MYSQL", "H2"})
    @Tag("I3")
    void messageWithAMalformedHeaderIsParkedWithTheReasonAndHoldsUpNothing(Kind kind) {
        TestBroker broker = open(1);
        InboxDatabase database = open(kind);
        broker.send(List.of(
                TestMessage.of(0, "k1", "nul").with("postrider-topic", "or\0ders"),
                TestMessage.of(0, "k2", "long").with("postrider-topic", "x".repeat(300)),
                TestMessage.of(0, "k3", "space").with("postrider-namespace", "sh\0op"),
                TestMessage.of(0, "m\0", "m0").with("type", "Order\0Placed").with("note\0", "\0"),
                TestMessage.of(0, "m".repeat(300), "m1").with("postrider-seq", "first"),
                TestMessage.of(0, "k4", "m2")));

        try (RunningConsumer consumer =
                broker.start(ConsumerPlan.of(database.inbox().parkAfter(2).build(), InboxDatabase::effect))) {
            database.awaitEffects(3);
            awaitParked(database, 3);
            assertThat(database.effects()).containsExactlyInAnyOrder("m0", "m1", "m2");
            assertThat(database.parked()).containsOnly(ParkReason.FAILED);
            assertThat(database.admin().parked(InboxDatabase.CONSUMER, 0, 10))
                    .extracting(ParkedMessage::messageId)
                    .containsExactlyInAnyOrder("nul", "long", "space");
            assertThat(database.strings("select error from inbox_failure"))
                    .anyMatch(error -> error.contains("postrider-topic holds the character U+0000"))
                    .anyMatch(error -> error.contains("postrider-topic has 300 characters"))
                    .anyMatch(error -> error.contains("postrider-namespace holds the character U+0000"));

            release(database, "nul");
            assertOneEffectEach(List.of("m0", "m1", "m2", "nul"), consumer);
        }
    }

    @Test
    @Tag("I8")
    void batchIsHandledTogetherAndABadMessageTakesNoOtherDown() {
        TestBroker broker = open(2);
        InboxDatabase database = open(Kind.POSTGRES_15);
        List<Integer> sizes = Collections.synchronizedList(new ArrayList<>());
        List<TestMessage> messages = new ArrayList<>(TestMessage.numbered(100, 2));
        messages.add(TestMessage.of(0, "malformed", "malformed").with("postrider-topic", "or\0ders"));
        broker.send(messages);

        try (RunningConsumer consumer = broker.start(
                ConsumerPlan.ofBatches(database.inbox().parkAfter(2).build(), 20, (batch, transaction) -> {
                    sizes.add(batch.size());
                    InboxDatabase.effects(batch, transaction);
                    if (batch.stream().map(InboxDatabase::text).anyMatch("m31"::equals)) {
                        throw new IllegalStateException("never");
                    }
                }))) {
            awaitParked(database, 2);
            List<String> good = new ArrayList<>(TestMessage.names(100));
            good.remove("m31");
            assertOneEffectEach(good, consumer);
        }
        assertThat(sizes).anyMatch(size -> size > 1).allMatch(size -> size <= 20);
        assertThat(database.parked()).containsExactly(ParkReason.FAILED, ParkReason.FAILED);
    }

    private static void awaitParked(InboxDatabase database, int count) {
        await().atMost(Gate.PATIENCE).until(() -> database.parked().size() == count);
    }

    private static void release(InboxDatabase database, String id) {
        database.admin().release(InboxDatabase.CONSUMER, List.of(id), new Decision("operator", "repaired"));
    }
}
