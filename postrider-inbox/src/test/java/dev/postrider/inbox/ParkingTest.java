package dev.postrider.inbox;

import static dev.postrider.inbox.Desk.CONSUMER;
import static dev.postrider.inbox.Desk.effect;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.admin.Decision;
import dev.postrider.database.FaultPoints;
import dev.postrider.inbox.InboxResult.Duplicate;
import dev.postrider.inbox.InboxResult.Parked;
import dev.postrider.inbox.InboxResult.Processed;
import dev.postrider.services.Database.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages that are put aside, and what an operator does about them. */
@Tag("R0.7")
@Tag("B5")
final class ParkingTest {

    private static final Decision DECISION = new Decision("ada", "the cause is gone");

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void theConsumersAreListedWithoutReadingTheirMessages(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = desk.inbox().parkAfter(1).build();
            assertThat(desk.admin().consumers(10)).isEmpty();
            for (int i = 0; i < 20; i++) {
                String id = "m" + i;
                inbox.process(of(id, null), "shipping", effect(id, "shipping"));
            }
            inbox.process(of("m1", null), "Crates 2", effect("m1", "Crates 2"));
            park(inbox, of("m2", "a"), 1);

            assertThat(desk.admin().consumers(10)).containsExactlyInAnyOrder("shipping", "Crates 2", CONSUMER);
            assertThat(desk.admin().consumers(2)).hasSize(2);
            assertThatThrownBy(() -> desk.admin().consumers(1_001)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("I3")
    void aMessageThatFailsTooOftenIsParkedWithAllThatCameAndHandledOnceWhenReleased(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = desk.inbox().parkAfter(3).build();
            ReceivedMessage message = ReceivedMessage.from("orders")
                    .id("m1")
                    .key("customer-7")
                    .sequence(42L)
                    .type("OrderPlaced")
                    .source("orders-0@42")
                    .header("trace", "a\u0000b\n\"c\"")
                    .payload(new byte[] {0, 1, -1})
                    .build();

            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> inbox.process(message, CONSUMER, failing()))
                        .isInstanceOf(InboxException.class);
            }
            assertThat(inbox.process(message, CONSUMER, failing())).isEqualTo(new Parked<>(ParkReason.FAILED));
            assertThat(inbox.process(message, CONSUMER, effect("m1")))
                    .as("a redelivery is not handled while it is parked")
                    .isEqualTo(new Parked<>(ParkReason.FAILED));
            assertThat(inbox.processReleased(CONSUMER, 10, effects())).isZero();
            assertThat(desk.effects()).isZero();

            ParkedMessage parked = desk.admin().parked(CONSUMER, 0, 10).get(0);
            assertThat(parked.attempts()).isEqualTo(3);
            assertThat(parked.error()).contains("bad");
            assertThat(parked.message()).usingRecursiveComparison().isEqualTo(message);
            assertThat(desk.admin().release(CONSUMER, List.of("m1", "unknown"), DECISION))
                    .isEqualTo(1);

            assertThat(inbox.process(message, CONSUMER, effect("m1")))
                    .as("released ones have their own way")
                    .isInstanceOf(Parked.class);
            assertThat(inbox.processReleased(CONSUMER, 10, effects())).isEqualTo(1);
            assertThat(inbox.processReleased(CONSUMER, 10, effects())).isZero();
            assertThat(inbox.process(message, CONSUMER, effect("m1"))).isEqualTo(new Duplicate<>());
            assertThat(desk.effects()).isEqualTo(1);
            assertThat(desk.count("inbox_failure")).isZero();
            assertThat(desk.count("inbox_audit where action = 'release' and actor = 'ada' and message_id = 'm1'"))
                    .isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("I10")
    void noMessageOfAKeyIsHandledWhileAnEarlierOneIsParkedAndOtherKeysGoOn(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = desk.inbox().parkAfter(1).build();

            assertThat(inbox.process(of("a1", "a"), CONSUMER, failing())).isEqualTo(new Parked<>(ParkReason.FAILED));
            assertThat(inbox.process(of("a2", "a"), CONSUMER, effect("a2"))).isEqualTo(new Parked<>(ParkReason.BEHIND));
            assertThat(inbox.process(of("b1", "b"), CONSUMER, effect("b1"))).isEqualTo(new Processed<>("done b1"));
            assertThat(inbox.process(of("n1", null), CONSUMER, effect("n1"))).isEqualTo(new Processed<>("done n1"));
            assertThat(inbox.process(of("a2", "a"), "shipping", effect("a2", "shipping")))
                    .as("another consumer")
                    .isEqualTo(new Processed<>("done a2"));
            assertThat(inbox.process(of("a3", "a"), CONSUMER, effect("a3"))).isEqualTo(new Parked<>(ParkReason.BEHIND));
            assertThat(inbox.processReleased(CONSUMER, 10, effects()))
                    .as("those behind wait")
                    .isZero();
            assertThat(desk.admin().release(CONSUMER, List.of("a2"), DECISION))
                    .as("only the first can be released")
                    .isZero();

            desk.admin().release(CONSUMER, List.of("a1"), DECISION);
            assertThat(inbox.process(of("a4", "a"), CONSUMER, effect("a4")))
                    .as("released is not handled yet")
                    .isEqualTo(new Parked<>(ParkReason.BEHIND));
            List<String> order = new ArrayList<>();
            int handled = inbox.processReleased(CONSUMER, 10, (message, transaction) -> {
                order.add(message.id().orElseThrow());
                Desk.insertEffect(transaction.connection(), message.id().orElseThrow(), CONSUMER);
            });

            assertThat(handled).isEqualTo(4);
            assertThat(order).containsExactly("a1", "a2", "a3", "a4");
            assertThat(inbox.process(of("a5", "a"), CONSUMER, effect("a5"))).isEqualTo(new Processed<>("done a5"));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("I10")
    void aReleasedMessageThatFailsAgainHoldsItsKeyAndIsParkedAgain(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = desk.inbox().parkAfter(2).build();
            park(inbox, of("a1", "a"), 2);
            inbox.process(of("a2", "a"), CONSUMER, effect("a2"));
            desk.admin().release(CONSUMER, List.of("a1"), DECISION);
            ReceivedHandler bad = (message, transaction) -> {
                throw new IllegalStateException("still bad");
            };

            assertThat(inbox.processReleased(CONSUMER, 10, bad)).isZero();
            assertThat(desk.admin().lookup(CONSUMER, "a1"))
                    .hasValueSatisfying(entry -> assertThat(entry.state()).isEqualTo(InboxEntry.State.RELEASED));
            assertThat(inbox.processReleased(CONSUMER, 10, bad)).isZero();

            assertThat(desk.admin().lookup(CONSUMER, "a1"))
                    .hasValueSatisfying(entry -> assertThat(entry.state()).isEqualTo(InboxEntry.State.PARKED));
            assertThat(inbox.processReleased(CONSUMER, 10, effects())).isZero();
            assertThat(desk.effects()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void messageThatAnotherDeliveryHandledIsNotParkedByALateFailure(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            for (Dedupe dedupe : Dedupe.values()) {
                Inbox inbox = desk.inbox().dedupe(dedupe).parkAfter(1).build();
                ReceivedMessage message = ReceivedMessage.from("orders")
                        .id("m-" + dedupe)
                        .key("key-" + dedupe)
                        .sequence(1L)
                        .build();
                AtomicBoolean handled = new AtomicBoolean();

                try (FaultPoints points = FaultPoints.install(point -> {
                    if (point.equals("inbox.failed") && !handled.getAndSet(true)) {
                        assertThat(inbox.process(message, CONSUMER, effect("m1")))
                                .isInstanceOf(Processed.class);
                    }
                })) {
                    assertThat(points).isNotNull();
                    assertThatThrownBy(() -> inbox.process(message, CONSUMER, failing()))
                            .isInstanceOf(InboxException.class);
                }

                assertThat(desk.count("inbox_failure where state = 'PARKED'")).isZero();
                assertThat(inbox.process(message, CONSUMER, effect("m1"))).isEqualTo(new Duplicate<>());
            }
            assertThat(desk.effects()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aDiscardedMessageIsNeverHandledAndThoseBehindItGoOn(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = desk.inbox().parkAfter(1).build();
            park(inbox, of("a1", "a"), 1);
            inbox.process(of("a2", "a"), CONSUMER, effect("a2"));

            assertThat(desk.admin().discard(CONSUMER, List.of("a1"), DECISION)).isEqualTo(1);

            assertThat(desk.admin().lookup(CONSUMER, "a2"))
                    .hasValueSatisfying(entry -> assertThat(entry.state()).isEqualTo(InboxEntry.State.RELEASED));
            assertThat(inbox.process(of("a1", "a"), CONSUMER, effect("a1"))).isEqualTo(new Duplicate<>());
            assertThat(inbox.processReleased(CONSUMER, 10, effects())).isEqualTo(1);
            assertThat(desk.count("effect where message_id = 'a2'")).isEqualTo(1);
            assertThat(desk.effects()).isEqualTo(1);
            assertThat(desk.count("inbox_failure where payload is not null")).isZero();
            assertThat(desk.admin().lookup(CONSUMER, "a1"))
                    .hasValueSatisfying(entry -> assertThat(entry.state()).isEqualTo(InboxEntry.State.DISCARDED));
            assertThat(desk.count("inbox_audit where action = 'discard'")).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void withoutAnOrderAParkedMessageHoldsNobody(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = desk.inbox().parkAfter(1).ordering(InboxOrdering.NONE).build();
            park(inbox, of("a1", "a"), 1);

            assertThat(inbox.process(of("a2", "a"), CONSUMER, effect("a2"))).isEqualTo(new Processed<>("done a2"));
            park(inbox, of("a3", "a"), 1);
            desk.admin().release(CONSUMER, List.of("a3"), DECISION);
            assertThat(inbox.processReleased(CONSUMER, 10, effects())).isEqualTo(1);
            assertThat(desk.count("effect where message_id = 'a3'")).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aMessageWithoutAUsableIdIsParkedOnceAndCanBeReleased(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = desk.inbox().build();
            ReceivedMessage none = ReceivedMessage.from("orders")
                    .source("orders-0@1")
                    .payload("x".getBytes(StandardCharsets.UTF_8))
                    .build();
            ReceivedMessage tooLong =
                    ReceivedMessage.from("orders").id("x".repeat(101)).build();
            ReceivedMessage strange =
                    ReceivedMessage.from("orders").id("évt\u0000").build();

            for (int i = 0; i < 2; i++) {
                assertThat(inbox.process(none, CONSUMER, effect("1"))).isEqualTo(new Parked<>(ParkReason.NO_ID));
                assertThat(inbox.process(tooLong, CONSUMER, effect("2")))
                        .isEqualTo(new Parked<>(ParkReason.INVALID_ID));
                assertThat(inbox.process(strange, CONSUMER, effect("3")))
                        .isEqualTo(new Parked<>(ParkReason.INVALID_ID));
            }
            assertThat(desk.count("inbox_failure")).isEqualTo(3);
            List<String> ids = desk.admin().parked(CONSUMER, 0, 10).stream()
                    .map(ParkedMessage::messageId)
                    .toList();
            assertThat(ids.get(0)).isEqualTo("no-id/orders-0@1");

            assertThat(desk.admin().release(CONSUMER, ids, DECISION)).isEqualTo(3);
            assertThat(inbox.processReleased(CONSUMER, 10, effects())).isEqualTo(3);
            assertThat(inbox.process(none, CONSUMER, effect("1"))).isEqualTo(new Duplicate<>());
            assertThat(desk.effects()).isEqualTo(3);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aKeyThatFitsNoColumnStillHoldsItsMessagesAndComesBackWhole(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = desk.inbox().parkAfter(1).build();
            List<String> keys = List.of("k".repeat(5_000), "zero\u0000", "half\ud800", "whole \ud83d\ude00");
            for (String key : keys) {
                String id = "m" + keys.indexOf(key);
                park(inbox, of(id, key), 1);

                assertThat(inbox.process(of(id + "-2", key), CONSUMER, effect("x")))
                        .isEqualTo(new Parked<>(ParkReason.BEHIND));
            }
            assertThat(desk.admin().parked(CONSUMER, 0, 10))
                    .extracting(parked -> parked.message().key().orElseThrow())
                    .containsAll(keys);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aLookupSaysWhatWasDoneAboutAMessage(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = desk.inbox().parkAfter(1).build();
            ReceivedMessage message =
                    ReceivedMessage.from("orders").id("m1").source("orders-3@9").build();
            assertThat(desk.admin().lookup(CONSUMER, "m1")).as("never seen").isEmpty();

            inbox.process(message, CONSUMER, effect("m1"));

            assertThat(desk.admin().lookup(CONSUMER, "m1")).hasValueSatisfying(entry -> {
                assertThat(entry.state()).isEqualTo(InboxEntry.State.PROCESSED);
                assertThat(entry.source()).isEqualTo("orders-3@9");
                assertThat(entry.at()).isNotNull();
            });
            assertThat(desk.admin().lookup("shipping", "m1")).isEmpty();
        }
    }

    private static void park(Inbox inbox, ReceivedMessage message, int attempts) {
        for (int i = 1; i < attempts; i++) {
            assertThatThrownBy(() -> inbox.process(message, CONSUMER, failing()))
                    .isInstanceOf(InboxException.class);
        }
        assertThat(inbox.process(message, CONSUMER, failing())).isEqualTo(new Parked<>(ParkReason.FAILED));
    }

    private static ReceivedMessage of(String id, @Nullable String key) {
        return ReceivedMessage.from("orders")
                .id(id)
                .key(key)
                .headers(Map.of("type", "OrderPlaced"))
                .build();
    }

    private static InboxHandler<String> failing() {
        return transaction -> {
            throw new IllegalStateException("bad");
        };
    }

    private static ReceivedHandler effects() {
        return (message, transaction) ->
                Desk.insertEffect(transaction.connection(), message.id().orElseThrow(), CONSUMER);
    }
}
