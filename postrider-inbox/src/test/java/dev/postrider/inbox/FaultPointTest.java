package dev.postrider.inbox;

import static dev.postrider.inbox.Desk.CONSUMER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.database.FaultPoints;
import dev.postrider.inbox.InboxResult.Duplicate;
import dev.postrider.inbox.InboxResult.Parked;
import dev.postrider.inbox.InboxResult.Processed;
import dev.postrider.services.Database.Kind;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The process dies at each fault point, and the message comes again. */
@Tag("R0.7")
@Tag("B5")
final class FaultPointTest {

    private static final List<String> POINTS = List.of(
            "inbox.begun",
            "inbox.claimed",
            "inbox.handled",
            "inbox.committing",
            "inbox.committed",
            "inbox.failed",
            "inbox.counted",
            "inbox.parked");

    /** The end of a process, as far as code can feel it. */
    private static final class Crash extends VirtualMachineError {}

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("I1")
    @Tag("I2")
    @Tag("I3")
    @Tag("I4")
    void aCrashAtAnyPointOfASuccessEndsInOneEffect(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = desk.inbox().build();
            for (String point : POINTS.subList(0, 5)) {
                ReceivedMessage message = message(point);

                crash(point, () -> inbox.process(message, CONSUMER, Desk.effect(point)));
                boolean committed = point.equals("inbox.committed");
                assertThat(desk.count("effect where message_id = '" + point + "'"))
                        .as("%s: effect", point)
                        .isEqualTo(committed ? 1 : 0);
                assertThat(desk.count("inbox_message where message_id = '" + point + "'"))
                        .as("%s: mark exactly with its effect", point)
                        .isEqualTo(committed ? 1 : 0);
                InboxResult<String> again = inbox.process(message, CONSUMER, Desk.effect(point));

                assertThat(again).isEqualTo(committed ? new Duplicate<>() : new Processed<>("done " + point));
                assertThat(desk.count("effect where message_id = '" + point + "'"))
                        .isEqualTo(1);
            }
            assertThat(desk.count("inbox_failure")).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("I1")
    @Tag("I2")
    @Tag("I3")
    void aCrashWhileAFailureIsCountedLosesNoMessage(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = desk.inbox().parkAfter(1).build();
            for (String point : List.of("inbox.failed", "inbox.counted")) {
                ReceivedMessage message = message(point);

                crash(
                        point,
                        () -> inbox.process(message, CONSUMER, transaction -> {
                            throw new IllegalStateException("bad");
                        }));
                boolean parked = point.equals("inbox.counted");
                InboxResult<String> again = inbox.process(message, CONSUMER, Desk.effect(point));

                assertThat(again)
                        .isEqualTo(parked ? new Parked<>(ParkReason.FAILED) : new Processed<>("done " + point));
                assertThat(desk.count("effect where message_id = '" + point + "'"))
                        .isEqualTo(parked ? 0 : 1);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("I3")
    void aCrashAfterParkingKeepsTheMessageOnce(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = desk.inbox().build();
            ReceivedMessage message =
                    ReceivedMessage.from("orders").source("orders-0@7").build();

            crash("inbox.parked", () -> inbox.process(message, CONSUMER, Desk.effect("x")));
            InboxResult<String> again = inbox.process(message, CONSUMER, Desk.effect("x"));

            assertThat(again).isEqualTo(new Parked<>(ParkReason.NO_ID));
            assertThat(desk.count("inbox_failure")).isEqualTo(1);
            assertThat(desk.effects()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("I1")
    @Tag("I2")
    @Tag("I8")
    void aCrashAtAnyPointOfABatchEndsInOneEffectForEachOfItsMessages(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = desk.inbox().build();
            InboxBatchHandler effects = (messages, transaction) -> {
                for (ReceivedMessage each : messages) {
                    Desk.insertEffect(transaction.connection(), each.id().orElseThrow(), CONSUMER);
                }
            };
            for (String point : POINTS.subList(1, 5)) {
                List<ReceivedMessage> batch = List.of(message(point + 1), message(point + 2), message(point + 3));

                crash(point, () -> inbox.processBatch(CONSUMER, batch, effects));
                InboxBatchResult again = inbox.processBatch(CONSUMER, batch, effects);

                assertThat(again.firstUnacknowledged()).isEmpty();
                assertThat(desk.count("effect where message_id like '" + point + "%'"))
                        .as(point)
                        .isEqualTo(3);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "H2"})
    void everyFaultPointOfTheInboxIsKnownToTheseTests(Kind kind) {
        Map<String, Integer> reached = new ConcurrentHashMap<>();
        try (Desk desk = Desk.open(kind);
                FaultPoints points = FaultPoints.install(point -> reached.merge(point, 1, Integer::sum))) {
            assertThat(points).isNotNull();
            Inbox inbox = desk.inbox().parkAfter(1).build();

            inbox.process(message("good"), CONSUMER, Desk.effect("good"));
            inbox.process(message("bad"), CONSUMER, transaction -> {
                throw new IllegalStateException("bad");
            });
            inbox.process(ReceivedMessage.from("orders").build(), CONSUMER, Desk.effect("none"));

            assertThat(new TreeSet<>(reached.keySet())).isEqualTo(new TreeSet<>(POINTS));
        }
    }

    private static ReceivedMessage message(String id) {
        return ReceivedMessage.from("orders").id(id).key(id).build();
    }

    private static void crash(String where, Runnable work) {
        AtomicInteger crashes = new AtomicInteger();
        try (FaultPoints points = FaultPoints.install(point -> {
            if (point.equals(where)) {
                crashes.incrementAndGet();
                throw new Crash();
            }
        })) {
            assertThat(points).isNotNull();
            assertThatThrownBy(work::run).isInstanceOf(Crash.class);
        }
        assertThat(crashes).hasValue(1);
    }
}
