package dev.postrider.inbox;

import static dev.postrider.inbox.Desk.CONSUMER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.admin.Decision;
import dev.postrider.database.FaultPoints;
import dev.postrider.inbox.InboxResult.Duplicate;
import dev.postrider.inbox.InboxResult.Parked;
import dev.postrider.inbox.InboxResult.Processed;
import dev.postrider.services.Database.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An inbox that goes by the sequence of messages of a key. */
@Tag("R0.7")
@Tag("B5")
final class SequenceTest {

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("I1")
    @Tag("I4")
    void aSequenceThatWasReachedIsADuplicateAndOneRowIsKeptForEachKey(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = desk.inbox().dedupe(Dedupe.SEQUENCE).build();

            assertThat(process(inbox, "a", 5)).isEqualTo(new Processed<>("done a-5"));
            assertThat(process(inbox, "a", 5)).isEqualTo(new Duplicate<>());
            assertThat(process(inbox, "a", 9))
                    .as("not every number is of this key")
                    .isInstanceOf(Processed.class);
            assertThat(process(inbox, "a", 5)).isEqualTo(new Duplicate<>());
            assertThat(process(inbox, "b", 6)).isInstanceOf(Processed.class);
            assertThat(inbox.process(
                            ReceivedMessage.from("refunds")
                                    .id("r")
                                    .key("a")
                                    .sequence(3L)
                                    .build(),
                            CONSUMER,
                            Desk.effect("r")))
                    .as("another topic")
                    .isInstanceOf(Processed.class);
            ReceivedMessage without =
                    ReceivedMessage.from("orders").id("plain").key("a").build();
            assertThat(inbox.process(without, CONSUMER, Desk.effect("plain"))).isInstanceOf(Processed.class);
            assertThat(inbox.process(without, CONSUMER, Desk.effect("plain"))).isEqualTo(new Duplicate<>());

            assertThat(desk.count("inbox_position")).isEqualTo(3);
            assertThat(desk.marks()).as("only the one without a sequence").isEqualTo(1);
            assertThat(desk.effects()).isEqualTo(5);
        }
    }

    // One outbox numbers the messages of all namespaces, whose order among each other is not promised.
    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("I2")
    void sequenceOfOneNamespaceSaysNothingAboutAnother(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = desk.inbox().dedupe(Dedupe.SEQUENCE).build();
            ReceivedMessage shop = inNamespace("shop", 100);
            ReceivedMessage billing = inNamespace("billing", 99);
            ReceivedMessage withoutNamespace = message("a", 98);

            assertThat(inbox.process(shop, CONSUMER, Desk.effect("shop"))).isInstanceOf(Processed.class);
            assertThat(inbox.process(billing, CONSUMER, Desk.effect("billing"))).isInstanceOf(Processed.class);
            assertThat(inbox.process(withoutNamespace, CONSUMER, Desk.effect("default")))
                    .isInstanceOf(Processed.class);
            assertThat(inbox.process(inNamespace("default", 97), CONSUMER, Desk.effect("x")))
                    .as("the header says what no header means")
                    .isEqualTo(new Duplicate<>());
            assertThat(inbox.process(inNamespace("n".repeat(201), 96), CONSUMER, Desk.effect("long")))
                    .isInstanceOf(Processed.class);
            assertThat(inbox.process(inNamespace("nul\0", 95), CONSUMER, Desk.effect("nul")))
                    .isInstanceOf(Processed.class);

            assertThat(inbox.process(shop, CONSUMER, Desk.effect("shop"))).isEqualTo(new Duplicate<>());
            assertThat(inbox.process(billing, CONSUMER, Desk.effect("billing"))).isEqualTo(new Duplicate<>());
            assertThat(desk.effects()).isEqualTo(5);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("I10")
    void failureOfOneNamespaceDoesNotHoldTheKeyOfAnother(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = desk.inbox().dedupe(Dedupe.SEQUENCE).parkAfter(1).build();
            inbox.process(inNamespace("shop", 1), CONSUMER, transaction -> {
                throw new IllegalStateException("bad");
            });

            assertThat(inbox.process(inNamespace("shop", 2), CONSUMER, Desk.effect("shop-2")))
                    .isEqualTo(new Parked<>(ParkReason.BEHIND));
            assertThat(inbox.process(inNamespace("billing", 3), CONSUMER, Desk.effect("billing-3")))
                    .isInstanceOf(Processed.class);
            desk.admin().release(CONSUMER, List.of("shop-1"), new Decision("ada", "repaired"));

            assertThat(inbox.processReleased(CONSUMER, 10, effects())).isEqualTo(2);
            assertThat(desk.count("inbox_position where namespace = 'shop' and last_seq = 2"))
                    .isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("I4")
    @Tag("I7")
    void aFailureTakesTheSequenceBack(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = desk.inbox().dedupe(Dedupe.SEQUENCE).build();
            process(inbox, "a", 1);

            assertThatThrownBy(() -> inbox.process(message("a", 2), CONSUMER, transaction -> {
                        throw new IllegalStateException("bad");
                    }))
                    .isInstanceOf(InboxException.class);
            assertThatThrownBy(() -> inbox.process(message("a", 2), CONSUMER, transaction -> {
                        try (var statement = transaction.connection().createStatement()) {
                            statement.execute("rollback");
                        }
                        return "done";
                    }))
                    .isInstanceOfSatisfying(
                            InboxException.class,
                            e -> assertThat(e.reason()).isEqualTo(InboxException.Reason.TRANSACTION_LOST));

            assertThat(desk.count("inbox_position where last_seq = 1")).isEqualTo(1);
            assertThat(process(inbox, "a", 2)).isInstanceOf(Processed.class);
        }
    }

    // If a later message went ahead, the failed one would look like a duplicate when it comes again.
    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("I2")
    @Tag("I10")
    void aMessageThatFailedHoldsItsKeyFromItsFirstFailureOn(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = desk.inbox().dedupe(Dedupe.SEQUENCE).parkAfter(2).build();
            InboxHandler<String> failing = transaction -> {
                throw new IllegalStateException("bad");
            };
            assertThatThrownBy(() -> inbox.process(message("a", 1), CONSUMER, failing))
                    .isInstanceOf(InboxException.class);

            assertThat(process(inbox, "a", 2)).isEqualTo(new Parked<>(ParkReason.BEHIND));
            assertThat(process(inbox, "b", 3)).isInstanceOf(Processed.class);
            assertThat(inbox.processReleased(CONSUMER, 10, effects())).isZero();
            assertThat(inbox.process(message("a", 1), CONSUMER, failing)).isEqualTo(new Parked<>(ParkReason.FAILED));
            desk.admin().release(CONSUMER, List.of("a-1"), new Decision("ada", "repaired"));

            assertThat(inbox.processReleased(CONSUMER, 10, effects())).isEqualTo(2);
            assertThat(desk.count("inbox_position where message_key = 'a' and last_seq = 2"))
                    .isEqualTo(1);
            assertThat(desk.effects()).isEqualTo(3);
            assertThat(process(inbox, "a", 1)).isEqualTo(new Duplicate<>());
            assertThat(process(inbox, "a", 4)).isInstanceOf(Processed.class);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("I2")
    @Tag("I10")
    void failureCountedAfterAnotherDeliverySucceededHoldsNobody(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = desk.inbox().dedupe(Dedupe.SEQUENCE).build();
            AtomicInteger deliveries = new AtomicInteger();

            try (FaultPoints points = FaultPoints.install(point -> {
                if (point.equals("inbox.failed") && deliveries.incrementAndGet() == 1) {
                    assertThat(process(inbox, "a", 1)).isInstanceOf(Processed.class);
                }
            })) {
                assertThat(points).isNotNull();
                assertThatThrownBy(() -> inbox.process(message("a", 1), CONSUMER, transaction -> {
                            throw new IllegalStateException("bad");
                        }))
                        .isInstanceOf(InboxException.class);
            }

            assertThat(desk.count("inbox_failure where state = 'FAILING'"))
                    .as("the late count")
                    .isEqualTo(1);
            assertThat(process(inbox, "a", 2)).isInstanceOf(Processed.class);
            assertThat(process(inbox, "a", 1)).isEqualTo(new Duplicate<>());
            assertThat(process(inbox, "a", 3)).isInstanceOf(Processed.class);
            assertThat(desk.effects()).isEqualTo(3);
        }
    }

    // The message was parked because the failure of the one ahead was counted and its success not committed yet.
    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("I10")
    void messageBehindAFailureThatIsHandledMeanwhileGoesOn(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = desk.inbox().dedupe(Dedupe.SEQUENCE).build();
            assertThatThrownBy(() -> inbox.process(message("a", 1), CONSUMER, transaction -> {
                        throw new IllegalStateException("bad");
                    }))
                    .isInstanceOf(InboxException.class);
            assertThat(process(inbox, "a", 2)).isEqualTo(new Parked<>(ParkReason.BEHIND));
            desk.execute("insert into inbox_position (consumer, topic, message_key, last_seq, updated_at)"
                    + " values ('billing', 'orders', 'a', 1, current_timestamp)");

            assertThat(inbox.processReleased(CONSUMER, 10, effects())).isEqualTo(1);

            assertThat(desk.count("effect where message_id = 'a-2'")).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("I10")
    void failedMessageThatNeverComesAgainCanBeDiscardedSoThatItsKeyGoesOn(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = desk.inbox().dedupe(Dedupe.SEQUENCE).build();
            assertThatThrownBy(() -> inbox.process(message("a", 1), CONSUMER, transaction -> {
                        throw new IllegalStateException("bad");
                    }))
                    .isInstanceOf(InboxException.class);
            assertThat(process(inbox, "a", 2)).isEqualTo(new Parked<>(ParkReason.BEHIND));
            Decision decision = new Decision("ada", "removed from its topic");

            assertThat(desk.admin().release(CONSUMER, List.of("a-1"), decision))
                    .as("its payload is not kept")
                    .isZero();
            assertThat(desk.admin().discard(CONSUMER, List.of("a-1"), decision)).isEqualTo(1);

            assertThat(inbox.processReleased(CONSUMER, 10, effects())).isEqualTo(1);
            assertThat(process(inbox, "a", 1)).isEqualTo(new Duplicate<>());
            assertThat(process(inbox, "a", 3)).isInstanceOf(Processed.class);
            assertThat(desk.count("effect where message_id = 'a-1'")).isZero();
            assertThat(desk.effects()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("I10")
    void failedMessageWithoutASequenceHoldsNobody(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = desk.inbox().dedupe(Dedupe.SEQUENCE).build();
            ReceivedMessage plain =
                    ReceivedMessage.from("orders").id("plain").key("a").build();
            assertThatThrownBy(() -> inbox.process(plain, CONSUMER, transaction -> {
                        throw new IllegalStateException("bad");
                    }))
                    .isInstanceOf(InboxException.class);

            assertThat(process(inbox, "a", 1)).isInstanceOf(Processed.class);
            assertThat(inbox.process(plain, CONSUMER, Desk.effect("plain"))).isInstanceOf(Processed.class);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("I1")
    @Tag("I2")
    void severalThreadsWithTheSameSequencesHaveOneEffectForEach(Kind kind) throws Exception {
        int messages = 100;
        try (Desk desk = Desk.open(kind);
                Threads threads = new Threads()) {
            Inbox inbox = desk.inbox().dedupe(Dedupe.SEQUENCE).build();
            List<Future<Integer>> work = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                work.add(threads.start(() -> {
                    int processed = 0;
                    for (int sequence = 1; sequence <= messages; sequence++) {
                        processed += process(inbox, "a", sequence) instanceof Processed ? 1 : 0;
                    }
                    return processed;
                }));
            }
            int processed = 0;
            for (Future<Integer> each : work) {
                processed += Threads.result(each);
            }

            assertThat(processed).isEqualTo(messages);
            assertThat(desk.effects()).isEqualTo(messages);
            assertThat(desk.count("(select distinct message_id from effect) e")).isEqualTo(messages);
        }
    }

    @Test
    void sequencesNeedAnOrder() {
        try (Desk desk = Desk.open(Kind.H2)) {
            JdbcInbox.Builder builder = desk.inbox().dedupe(Dedupe.SEQUENCE).ordering(InboxOrdering.NONE);

            assertThatIllegalArgumentException().isThrownBy(builder::build).withMessageContaining("PER_KEY");
        }
    }

    private static InboxResult<String> process(Inbox inbox, String key, long sequence) {
        return inbox.process(message(key, sequence), CONSUMER, Desk.effect(key + "-" + sequence));
    }

    private static ReceivedMessage message(String key, long sequence) {
        return ReceivedMessage.from("orders")
                .id(key + "-" + sequence)
                .key(key)
                .sequence(sequence)
                .build();
    }

    private static ReceivedMessage inNamespace(String namespace, long sequence) {
        return ReceivedMessage.from("orders")
                .id(namespace.replaceAll("[^a-z]", "").replaceAll("n{9,}", "n") + "-" + sequence)
                .key("a")
                .sequence(sequence)
                .header("postrider-namespace", namespace)
                .build();
    }

    private static ReceivedHandler effects() {
        return (message, transaction) ->
                Desk.insertEffect(transaction.connection(), message.id().orElseThrow(), CONSUMER);
    }
}
