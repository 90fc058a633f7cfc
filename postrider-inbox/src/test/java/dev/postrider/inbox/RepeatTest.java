package dev.postrider.inbox;

import static dev.postrider.inbox.Desk.CONSUMER;
import static dev.postrider.inbox.Desk.effect;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.postrider.inbox.InboxBatchResult.Entry;
import dev.postrider.inbox.InboxBatchResult.Outcome;
import dev.postrider.inbox.InboxException.Reason;
import dev.postrider.inbox.InboxResult.Processed;
import dev.postrider.services.Database.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A transaction that lost a conflict is repeated, but only so often. */
final class RepeatTest {

    private static final String CONFLICT = "40001";
    private static final ReceivedMessage MESSAGE =
            ReceivedMessage.from("orders").id("m1").build();

    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicInteger repeats = new AtomicInteger();
    private final InboxListener listener = new InboxListener() {
        @Override
        public void repeated(String consumer) {
            repeats.incrementAndGet();
        }
    };

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void handlerThatAlwaysLosesAConflictIsRepeatedAsOftenAsAllowedAndCountedOnce(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            for (int retries : new int[] {0, 2}) {
                calls.set(0);
                repeats.set(0);
                String consumer = "retries-" + retries;
                Inbox inbox = inbox(desk).txRetries(retries).build();

                InboxException failure = failure(() -> inbox.process(MESSAGE, consumer, transaction -> {
                    calls.incrementAndGet();
                    throw new SQLException("lost", CONFLICT);
                }));

                assertThat(failure.reason()).isEqualTo(Reason.HANDLER_FAILED);
                assertThat(calls).hasValue(1 + retries);
                assertThat(repeats).hasValue(retries);
                assertThat(desk.admin().lookup(consumer, "m1"))
                        .hasValueSatisfying(
                                entry -> assertThat(entry.attempts()).isEqualTo(1));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void handlerThatWinsInTheEndIsNotCounted(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = inbox(desk).txRetries(2).build();

            InboxResult<String> result = inbox.process(MESSAGE, CONSUMER, transaction -> {
                String done = effect("m1").handle(transaction);
                if (calls.incrementAndGet() <= 2) {
                    throw new SQLException("lost", CONFLICT);
                }
                return done;
            });

            assertThat(result).isEqualTo(new Processed<>("done m1"));
            assertThat(desk.effects()).isEqualTo(1);
            assertThat(desk.count("inbox_failure")).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "H2"})
    void conflictBeforeTheHandlerIsRepeatedTenTimesWhateverTheRetriesOfHandlers(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Refusing refusing = new Refusing(desk.pool());
            Inbox inbox = JdbcInbox.builder(refusing.dataSource())
                    .listener(listener)
                    .txRetries(0)
                    .build();
            inbox.process("warm", CONSUMER, transaction -> "up");

            refusing.next(10, CONFLICT);
            assertThat(inbox.process(MESSAGE, CONSUMER, effect("m1"))).isEqualTo(new Processed<>("done m1"));
            assertThat(repeats).hasValue(10);

            refusing.next(11, CONFLICT);
            InboxException failure = failure(() -> inbox.process("m2", CONSUMER, effect("m2")));
            assertThat(failure.reason()).isEqualTo(Reason.INFRASTRUCTURE);
            assertThat(failure).hasMessageContaining("m2").hasMessageContaining("the database failed");
            assertThat(repeats).hasValue(20);
            assertThat(desk.count("inbox_failure")).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void batchThatLosesAConflictIsRepeatedAsAWhole(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = inbox(desk).txRetries(2).build();

            InboxBatchResult result = inbox.processBatch(CONSUMER, batch(), (messages, transaction) -> {
                assertThat(messages).hasSize(3);
                effect("batch").handle(transaction);
                if (calls.incrementAndGet() <= 2) {
                    throw new SQLException("lost", CONFLICT);
                }
            });

            assertThat(outcomes(result)).containsOnly(Outcome.PROCESSED);
            assertThat(calls).hasValue(3);
            assertThat(repeats).hasValue(2);
            assertThat(desk.effects()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void batchThatLosesEveryConflictIsHandledOneByOneInTheEnd(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = inbox(desk).txRetries(1).build();
            List<Integer> sizes = new ArrayList<>();

            InboxBatchResult result = inbox.processBatch(CONSUMER, batch(), (messages, transaction) -> {
                sizes.add(messages.size());
                effect("any").handle(transaction);
                if (messages.size() > 1) {
                    throw new SQLException("lost", CONFLICT);
                }
            });

            assertThat(outcomes(result)).containsOnly(Outcome.PROCESSED);
            assertThat(sizes).containsExactly(3, 3, 1, 1, 1);
            assertThat(repeats).hasValue(1);
            assertThat(desk.effects()).isEqualTo(3);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void batchOfWhichOneIsBusyElsewhereIsNotRepeatedAsAWhole(Kind kind) throws SQLException {
        try (Desk desk = Desk.open(kind);
                Connection other = desk.database().dataSource().getConnection()) {
            other.setAutoCommit(false);
            try (Statement statement = other.createStatement()) {
                statement.executeUpdate("insert into inbox_message (consumer, message_id, processed_at)"
                        + " values ('billing', 'm2', current_timestamp)");
            }
            Inbox inbox = inbox(desk).lockWait(Duration.ofMillis(300)).build();

            InboxBatchResult result =
                    inbox.processBatch(CONSUMER, batch(), (messages, transaction) -> calls.incrementAndGet());
            other.rollback();

            assertThat(outcomes(result)).containsExactly(Outcome.PROCESSED, Outcome.FAILED, Outcome.PROCESSED);
            assertThat(result.entries().get(1).failure())
                    .isNotNull()
                    .extracting(InboxException::reason)
                    .isEqualTo(Reason.BUSY);
            assertThat(calls).hasValue(2);
            assertThat(repeats).hasValue(0);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "H2"})
    void interruptBeforeTheRepeatEndsTheWorkAndIsNotCounted(Kind kind) throws Exception {
        try (Desk desk = Desk.open(kind);
                Threads threads = new Threads()) {
            Inbox inbox = interrupting(desk);

            boolean interrupted = Threads.result(threads.start(() -> {
                InboxException failure = failure(() -> inbox.process(MESSAGE, CONSUMER, transaction -> {
                    calls.incrementAndGet();
                    throw new SQLException("lost", CONFLICT);
                }));
                assertThat(failure.reason()).isEqualTo(Reason.INFRASTRUCTURE);
                return Thread.interrupted();
            }));

            assertThat(interrupted).as("the thread stays interrupted").isTrue();
            assertThat(calls).hasValue(1);
            assertThat(desk.count("inbox_failure")).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "H2"})
    void interruptBeforeTheRepeatOfABatchHoldsAllOfItBack(Kind kind) throws Exception {
        try (Desk desk = Desk.open(kind);
                Threads threads = new Threads()) {
            Inbox inbox = interrupting(desk);

            InboxBatchResult result = Threads.result(threads.start(
                    () -> inbox.processBatch(CONSUMER, batch(), (messages, transaction) -> {
                        calls.incrementAndGet();
                        throw new SQLException("lost", CONFLICT);
                    })));

            assertThat(outcomes(result)).containsExactly(Outcome.FAILED, Outcome.HELD_BACK, Outcome.HELD_BACK);
            assertThat(calls).hasValue(1);
            assertThat(desk.count("inbox_failure")).isZero();
        }
    }

    private JdbcInbox.Builder inbox(Desk desk) {
        return desk.inbox().listener(listener);
    }

    private static Inbox interrupting(Desk desk) {
        return desk.inbox()
                .listener(new InboxListener() {
                    @Override
                    public void repeated(String consumer) {
                        Thread.currentThread().interrupt();
                    }
                })
                .build();
    }

    private static List<ReceivedMessage> batch() {
        return Stream.of("m1", "m2", "m3")
                .map(id -> ReceivedMessage.from("orders").id(id).build())
                .toList();
    }

    private static List<Outcome> outcomes(InboxBatchResult result) {
        return result.entries().stream().map(Entry::outcome).toList();
    }

    private static InboxException failure(ThrowingCallable work) {
        return catchThrowableOfType(InboxException.class, work);
    }
}
