package dev.postrider.inbox;

import static dev.postrider.inbox.Desk.CONSUMER;
import static dev.postrider.inbox.Desk.effect;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.postrider.OutboxException;
import dev.postrider.inbox.InboxException.Reason;
import dev.postrider.inbox.InboxResult.Duplicate;
import dev.postrider.inbox.InboxResult.Parked;
import dev.postrider.services.Database.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the listener of an inbox hears, once for each message. */
final class InboxListenerTest {

    private final List<String> heard = new ArrayList<>();
    private final List<Duration> times = new ArrayList<>();
    private final InboxListener listener = new InboxListener() {
        @Override
        public void processed(String consumer, int messages, Duration took) {
            heard.add(consumer + " processed " + messages);
            times.add(took);
        }

        @Override
        public void duplicate(String consumer) {
            heard.add(consumer + " duplicate");
        }

        @Override
        public void parked(String consumer, ParkReason reason) {
            heard.add(consumer + " parked " + reason);
        }

        @Override
        public void failed(String consumer, Reason reason) {
            heard.add(consumer + " failed " + reason);
        }
    };

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void listenerHearsEachOutcomeOfAMessageOnce(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = desk.inbox().listener(listener).parkAfter(2).build();
            InboxHandler<String> bad = transaction -> {
                throw new IllegalStateException("bad");
            };

            inbox.process(message("m1"), CONSUMER, effect("m1"));
            inbox.process(message("m1"), CONSUMER, effect("m1"));
            Throwable failure = catchThrowable(() -> inbox.process(message("m2"), CONSUMER, bad));
            inbox.process(message("m2"), CONSUMER, bad);
            inbox.process(message("m2"), CONSUMER, bad);
            inbox.process(message(null), CONSUMER, bad);

            assertThat(heard)
                    .containsExactly(
                            "billing processed 1",
                            "billing duplicate",
                            "billing failed HANDLER_FAILED",
                            "billing parked FAILED",
                            "billing parked NO_ID");
            assertThat(failure).hasMessage("Could not process message m2 for consumer billing: its handler failed");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void listenerHearsHowManyOfABatchWereHandledAndEachDuplicate(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = desk.inbox().listener(listener).build();

            inbox.processBatch(
                    CONSUMER, List.of(message("m1"), message("m2"), message("m1")), (messages, transaction) -> {});

            assertThat(heard).containsExactly("billing processed 2", "billing duplicate");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "H2"})
    void listenerHearsTheTimeOfTheTransaction(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = desk.inbox().listener(listener).build();
            long start = System.nanoTime();

            inbox.process(message("m1"), CONSUMER, effect("m1"));
            inbox.processBatch(CONSUMER, List.of(message("m2")), (messages, transaction) -> {});

            Duration outside = Duration.ofNanos(System.nanoTime() - start);
            assertThat(times).hasSize(2).allSatisfy(took -> assertThat(took).isBetween(Duration.ZERO, outside));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void failureThatCannotBeCountedNamesWhyBesideTheErrorOfTheHandler(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Refusing refusing = new Refusing(desk.pool());
            Inbox inbox = JdbcInbox.builder(refusing.dataSource())
                    .listener(listener)
                    .parkAfter(1)
                    .build();

            Throwable failure = catchThrowable(() -> inbox.process(message("m1"), CONSUMER, transaction -> {
                refusing.next(1, "08001");
                throw new IllegalStateException("bad");
            }));

            assertThat(failure).hasRootCauseMessage("bad");
            assertThat(failure)
                    .cause()
                    .satisfies(cause ->
                            assertThat(cause.getSuppressed()).singleElement().isInstanceOf(OutboxException.class));
            assertThat(heard).containsExactly("billing failed HANDLER_FAILED");
            assertThat(desk.count("inbox_failure")).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void failureWhoseTextTheDatabaseRefusesIsCountedInPlainText(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Refusing refusing = new Refusing(desk.pool());
            Inbox inbox = JdbcInbox.builder(refusing.dataSource())
                    .listener(listener)
                    .parkAfter(1)
                    .build();

            InboxResult<String> result = inbox.process(message("m1"), CONSUMER, transaction -> {
                refusing.next(1, "22021");
                throw new IllegalStateException("b\u00e4d");
            });

            assertThat(result).isEqualTo(new Parked<>(ParkReason.FAILED));
            assertThat(heard).containsExactly("billing parked FAILED");
            assertThat(desk.admin().lookup(CONSUMER, "m1"))
                    .hasValueSatisfying(entry -> assertThat(entry.error()).contains("b?d"));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void messageThatWasHandledUnderItsStandInIsADuplicate(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = desk.inbox().listener(listener).build();
            ReceivedMessage unnamed =
                    ReceivedMessage.from("orders").source("orders-0@9").build();
            assertThat(inbox.process(unnamed, CONSUMER, effect("x"))).isEqualTo(new Parked<>(ParkReason.NO_ID));
            heard.clear();
            desk.execute("insert into inbox_message (consumer, message_id, processed_at)"
                    + " values ('billing', 'no-id/orders-0@9', current_timestamp)");

            assertThat(inbox.process(unnamed, CONSUMER, effect("x"))).isEqualTo(new Duplicate<>());

            assertThat(heard).containsExactly("billing duplicate");
        }
    }

    private static ReceivedMessage message(@Nullable String id) {
        return ReceivedMessage.from("orders").id(id).build();
    }
}
