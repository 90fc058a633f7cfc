package dev.postrider.inbox;

import static dev.postrider.inbox.Desk.CONSUMER;
import static dev.postrider.inbox.Desk.effect;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.OutboxMessage;
import dev.postrider.inbox.InboxResult.Duplicate;
import dev.postrider.inbox.InboxResult.Processed;
import dev.postrider.services.Database.Kind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Several deliveries of one message at the same time. */
@Tag("R0.7")
@Tag("B5")
final class ConcurrentDeliveryTest {

    private static final int IDS = 500;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int THREADS = 6;

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("I1")
    @Tag("I2")
    @Tag("I4")
    void sixThreadsWithTheSameShuffledIdsAndFailingHandlersHaveOneEffectForEach(Kind kind) throws Exception {
        try (Desk desk = Desk.open(kind);
                Threads threads = new Threads()) {
            Inbox inbox = desk.inbox().build();
            List<String> ids =
                    IntStream.range(0, IDS).mapToObj(i -> "message-" + i).toList();
            AtomicInteger failures = new AtomicInteger();

            List<Future<Integer>> work = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                Random random = new Random(i);
                work.add(threads.start(() -> handleAll(inbox, ids, random, failures)));
            }
            int processed = 0;
            for (Future<Integer> each : work) {
                processed += Threads.result(each);
            }

            assertThat(failures.get()).as("handlers that failed").isGreaterThan(IDS / 20);
            assertThat(processed).isEqualTo(IDS);
            assertThat(desk.effects()).isEqualTo(IDS);
            assertThat(desk.count("(select distinct message_id from effect) e")).isEqualTo(IDS);
            assertThat(desk.marks()).isEqualTo(IDS);
        }
    }

    private static int handleAll(Inbox inbox, List<String> ids, Random random, AtomicInteger failures) {
        List<String> shuffled = new ArrayList<>(ids);
        Collections.shuffle(shuffled, random);
        Deque<String> left = new ArrayDeque<>(shuffled);
        int processed = 0;
        while (!left.isEmpty()) {
            String id = left.removeFirst();
            boolean fails = random.nextInt(10) == 0;
            try {
                InboxResult<String> result = inbox.process(id, CONSUMER, transaction -> {
                    Desk.insertEffect(transaction.connection(), id, CONSUMER);
                    if (fails) {
                        failures.incrementAndGet();
                        throw new IllegalStateException("one of ten");
                    }
                    return id;
                });
                processed += result instanceof Processed ? 1 : 0;
            } catch (InboxException e) {
                assertThat(e.reason()).isEqualTo(InboxException.Reason.HANDLER_FAILED);
                left.addLast(id);
            }
        }
        return processed;
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("I5")
    void twoConsumersOfOneMessageHaveTwoEffects(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = desk.inbox().build();

            InboxResult<String> first = inbox.process("m1", "billing", effect("m1", "billing"));
            InboxResult<String> second = inbox.process("m1", "shipping", effect("m1", "shipping"));
            InboxResult<String> again = inbox.process("m1", "billing", effect("m1", "billing"));

            assertThat(first).isEqualTo(new Processed<>("done m1"));
            assertThat(second).isEqualTo(new Processed<>("done m1"));
            assertThat(again).isEqualTo(new Duplicate<>());
            assertThat(desk.count("effect where consumer = 'billing'")).isEqualTo(1);
            assertThat(desk.count("effect where consumer = 'shipping'")).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "POSTGRES_18,TRANSACTION_READ_COMMITTED",
        "POSTGRES_18,TRANSACTION_REPEATABLE_READ",
        "POSTGRES_18,TRANSACTION_SERIALIZABLE",
        "MARIADB,TRANSACTION_READ_COMMITTED",
        "MARIADB,TRANSACTION_REPEATABLE_READ",
        "MYSQL,TRANSACTION_READ_COMMITTED",
        "MYSQL,TRANSACTION_REPEATABLE_READ",
        "H2,TRANSACTION_READ_COMMITTED",
        "H2,TRANSACTION_REPEATABLE_READ"
    })
    @Tag("I1")
    @Tag("I2")
    void theSecondDeliveryWaitsForTheOutcomeOfTheFirstWhateverThePoolSays(Kind kind, String isolation)
            throws Exception {
        for (boolean commits : new boolean[] {true, false}) {
            try (Desk desk = Desk.open(kind, isolation);
                    Threads threads = new Threads()) {
                Inbox inbox = desk.inbox().build();
                CountDownLatch entered = new CountDownLatch(1);
                CountDownLatch leave = new CountDownLatch(1);
                Future<InboxResult<String>> first = threads.start(() -> inbox.process("m1", CONSUMER, transaction -> {
                    Desk.insertEffect(transaction.connection(), "m1", CONSUMER);
                    entered.countDown();
                    Threads.await(leave);
                    if (!commits) {
                        throw new IllegalStateException("rolled back");
                    }
                    return "first";
                }));
                Threads.await(entered);
                AtomicInteger seconds = new AtomicInteger();
                Future<InboxResult<String>> second = threads.start(() -> inbox.process("m1", CONSUMER, transaction -> {
                    seconds.incrementAndGet();
                    return effect("m1").handle(transaction);
                }));
                awaitWaiting(desk, 1);

                assertThat(seconds).as("the second waits").hasValue(0);
                assertThat(second.isDone()).isFalse();
                leave.countDown();

                if (commits) {
                    assertThat(Threads.result(first)).isEqualTo(new Processed<>("first"));
                    assertThat(Threads.result(second)).isEqualTo(new Duplicate<>());
                } else {
                    assertThatThrownBy(() -> Threads.result(first)).hasCauseInstanceOf(InboxException.class);
                    assertThat(Threads.result(second)).isEqualTo(new Processed<>("done m1"));
                }
                assertThat(desk.effects()).isEqualTo(1);
                assertThat(desk.marks()).isEqualTo(1);
            }
        }
    }

    // On MariaDB one of two waiters is killed as a deadlock when the first rolls back; the inbox repeats it.
    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("I9")
    void threeDeliveriesOfWhichTheFirstRollsBackAreHandledOnceAndNoErrorSurfaces(Kind kind) throws Exception {
        try (Desk desk = Desk.open(kind);
                Threads threads = new Threads()) {
            Inbox inbox = desk.inbox().build();
            for (int round = 0; round < 5; round++) {
                String id = "m" + round;
                CountDownLatch entered = new CountDownLatch(1);
                CountDownLatch leave = new CountDownLatch(1);
                Future<InboxResult<String>> first = threads.start(() -> inbox.process(id, CONSUMER, transaction -> {
                    entered.countDown();
                    Threads.await(leave);
                    throw new IllegalStateException("rolled back");
                }));
                Threads.await(entered);
                Future<InboxResult<String>> second = threads.start(() -> inbox.process(id, CONSUMER, effect(id)));
                Future<InboxResult<String>> third = threads.start(() -> inbox.process(id, CONSUMER, effect(id)));
                awaitWaiting(desk, 2);
                leave.countDown();

                assertThatThrownBy(() -> Threads.result(first)).hasCauseInstanceOf(InboxException.class);
                assertThat(List.of(Threads.result(second), Threads.result(third)))
                        .containsExactlyInAnyOrder(new Processed<>("done " + id), new Duplicate<>());
                assertThat(desk.count("effect where message_id = '" + id + "'")).isEqualTo(1);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("I3")
    void whoWaitsTooLongIsToldThatTheMessageIsBusyAndNothingIsCounted(Kind kind) throws Exception {
        try (Desk desk = Desk.open(kind);
                Threads threads = new Threads()) {
            Inbox patient = desk.inbox().build();
            Inbox hasty = desk.inbox().lockWait(Duration.ofMillis(300)).build();
            CountDownLatch entered = new CountDownLatch(1);
            CountDownLatch leave = new CountDownLatch(1);
            Future<InboxResult<String>> first = threads.start(() -> patient.process("m1", CONSUMER, transaction -> {
                entered.countDown();
                Threads.await(leave);
                return "first";
            }));
            Threads.await(entered);

            assertThatThrownBy(() -> hasty.process("m1", CONSUMER, effect("m1")))
                    .isInstanceOfSatisfying(
                            InboxException.class, e -> assertThat(e.reason()).isEqualTo(InboxException.Reason.BUSY));

            leave.countDown();
            assertThat(Threads.result(first)).isEqualTo(new Processed<>("first"));
            assertThat(hasty.process("m1", CONSUMER, effect("m1"))).isEqualTo(new Duplicate<>());
            assertThat(desk.count("inbox_failure")).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void connectionsGoBackWithTheLockWaitTheyCameWith(Kind kind) throws SQLException {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = desk.inbox().lockWait(Duration.ofSeconds(7)).build();
            String question = switch (kind) {
                case POSTGRES_15, POSTGRES_18 -> "show lock_timeout";
                case MARIADB, MYSQL -> "select @@session.innodb_lock_wait_timeout";
                case H2 -> "call lock_timeout()";
            };
            String before = ask(desk.pool().getConnection(), question);

            InboxResult<String> inside = inbox.process("m1", CONSUMER, transaction -> {
                try (PreparedStatement query = transaction.connection().prepareStatement(question);
                        ResultSet row = query.executeQuery()) {
                    row.next();
                    return row.getString(1);
                }
            });

            assertThat(inside)
                    .isInstanceOfSatisfying(
                            Processed.class,
                            result -> assertThat(String.valueOf(result.value())).startsWith("7"));
            assertThat(ask(desk.pool().getConnection(), question)).isEqualTo(before);

            OutboxMessage message = OutboxMessage.to("orders", "Placed").build();
            inbox.process("m2", CONSUMER, transaction -> transaction.enqueue(message));
            assertThatThrownBy(() -> inbox.process("m3", CONSUMER, transaction -> transaction.enqueue(message)))
                    .isInstanceOf(InboxException.class);
            assertThat(ask(desk.pool().getConnection(), question))
                    .as("after an enqueue that was refused")
                    .isEqualTo(before);
        }
    }

    private static String ask(Connection borrowed, String question) throws SQLException {
        try (Connection connection = borrowed;
                PreparedStatement query = connection.prepareStatement(question);
                ResultSet row = query.executeQuery()) {
            row.next();
            return row.getString(1);
        }
    }

    /** Waits until the server says that so many wait for a lock. */
    private static void awaitWaiting(Desk desk, int waiters) {
        String waiting = switch (desk.kind()) {
            case POSTGRES_15, POSTGRES_18 ->
                "pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
            case MARIADB, MYSQL -> "information_schema.innodb_trx where trx_state = 'LOCK WAIT'";
            case H2 ->
                "information_schema.sessions where session_id <> session_id()"
                        + " and executing_statement like '%into inbox_message%'";
        };
        // MariaDB and MySQL look anew only if nobody has asked for a tenth of a second.
        Awaitility.await()
                .atMost(PATIENCE)
                .pollDelay(Duration.ofMillis(50))
                .pollInterval(Duration.ofMillis(250))
                .until(() -> desk.count(waiting) >= waiters);
    }
}
