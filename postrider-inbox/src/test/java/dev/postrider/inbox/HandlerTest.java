package dev.postrider.inbox;

import static dev.postrider.inbox.Desk.CONSUMER;
import static dev.postrider.inbox.Desk.effect;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.OutboxMessage;
import dev.postrider.inbox.InboxException.Reason;
import dev.postrider.inbox.InboxResult.Duplicate;
import dev.postrider.inbox.InboxResult.Processed;
import dev.postrider.services.Database.Kind;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a handler may do, and what becomes of one that does what it may not. */
@Tag("R0.7")
@Tag("B5")
final class HandlerTest {

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("I3")
    @Tag("I4")
    void aHandlerThatThrowsLeavesNeitherMarkNorEffectAndItsFailureIsCounted(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = desk.inbox().build();
            List<Integer> attempts = new ArrayList<>();
            InboxHandler<String> failing = transaction -> {
                attempts.add(transaction.attempt());
                Desk.insertEffect(transaction.connection(), "m1", CONSUMER);
                throw new IOException("the printer is on fire");
            };

            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> inbox.process("m1", CONSUMER, failing))
                        .hasMessageContaining("m1")
                        .hasRootCauseMessage("the printer is on fire")
                        .satisfies(e -> assertThat(reason(e)).isEqualTo(Reason.HANDLER_FAILED));
                assertThat(desk.effects()).isZero();
                assertThat(desk.marks()).isZero();
            }
            assertThat(desk.admin().lookup(CONSUMER, "m1")).hasValueSatisfying(entry -> {
                assertThat(entry.state()).isEqualTo(InboxEntry.State.FAILING);
                assertThat(entry.attempts()).isEqualTo(2);
                assertThat(entry.error()).contains("the printer is on fire");
            });

            InboxResult<Integer> third = inbox.process("m1", CONSUMER, InboxTransaction::attempt);

            assertThat(attempts).containsExactly(1, 2);
            assertThat(third).isEqualTo(new Processed<>(3));
            assertThat(desk.count("inbox_failure"))
                    .as("forgotten with the success")
                    .isZero();
            assertThat(inbox.process("m1", CONSUMER, failing)).isEqualTo(new Duplicate<>());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("I7")
    void aHandlerThatOverlooksADuplicateKeyIsOnlyTakenForASuccessWhereItsTransactionLives(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = desk.inbox().build();
            InboxHandler<String> careless = transaction -> {
                Desk.insertEffect(transaction.connection(), "m1", CONSUMER);
                try (Statement statement = transaction.connection().createStatement()) {
                    statement.execute("insert into stock (id, amount) values (1, 7)");
                } catch (SQLException e) {
                    // overlooked
                }
                return "done";
            };

            if (kind == Kind.POSTGRES_18) {
                // Its commit would return without a word and commit nothing.
                assertThatThrownBy(() -> inbox.process("m1", CONSUMER, careless))
                        .satisfies(e -> assertThat(reason(e)).isEqualTo(Reason.TRANSACTION_LOST));
                assertThat(desk.effects()).isZero();
                assertThat(desk.marks()).isZero();
            } else {
                assertThat(inbox.process("m1", CONSUMER, careless)).isEqualTo(new Processed<>("done"));
                assertThat(desk.effects()).isEqualTo(1);
                assertThat(desk.marks()).isEqualTo(1);
            }
        }
    }

    // Two handlers lock two rows crosswise; the loser overlooks that and writes on. On MariaDB and MySQL that would
    // commit half an effect and no mark. H2 finds no deadlock: there the wait ends, and only the statement is undone.
    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL"})
    @Tag("I7")
    void aHandlerThatOverlooksADeadlockIsNeverTakenForASuccess(Kind kind) throws Exception {
        try (Desk desk = Desk.open(kind);
                Threads threads = new Threads()) {
            Inbox inbox = desk.inbox().build();
            CountDownLatch bothLocked = new CountDownLatch(2);
            AtomicInteger deadlocks = new AtomicInteger();

            Future<Reason> one = threads.start(() -> crosswise(inbox, "m1", 1, 2, bothLocked, deadlocks));
            Future<Reason> two = threads.start(() -> crosswise(inbox, "m2", 2, 1, bothLocked, deadlocks));
            List<Reason> reasons = new ArrayList<>();
            reasons.add(Threads.result(one));
            reasons.add(Threads.result(two));

            assertThat(deadlocks).hasValue(1);
            assertThat(reasons).containsExactlyInAnyOrder(null, Reason.TRANSACTION_LOST);
            assertThat(desk.effects()).isEqualTo(1);
            assertThat(desk.marks()).isEqualTo(1);
            assertThat(desk.count("stock where amount = 1")).as("of the winner").isEqualTo(2);
        }
    }

    private static @Nullable Reason crosswise(
            Inbox inbox, String id, int first, int second, CountDownLatch bothLocked, AtomicInteger deadlocks) {
        try {
            inbox.process(id, CONSUMER, transaction -> {
                add(transaction.connection(), first);
                bothLocked.countDown();
                Threads.await(bothLocked);
                try {
                    add(transaction.connection(), second);
                } catch (SQLException e) {
                    deadlocks.incrementAndGet();
                }
                try {
                    Desk.insertEffect(transaction.connection(), id, CONSUMER);
                } catch (SQLException e) {
                    // overlooked as well
                }
                return "done";
            });
            return null;
        } catch (InboxException e) {
            return e.reason();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL"})
    void aHandlerThatLosesAConflictAndSaysSoIsRepeatedAndNothingIsCounted(Kind kind) throws Exception {
        try (Desk desk = Desk.open(kind);
                Threads threads = new Threads()) {
            Inbox inbox = desk.inbox().build();
            CountDownLatch bothLocked = new CountDownLatch(2);

            Future<InboxResult<String>> one = threads.start(() -> honest(inbox, "m1", 1, 2, bothLocked));
            Future<InboxResult<String>> two = threads.start(() -> honest(inbox, "m2", 2, 1, bothLocked));

            assertThat(Threads.result(one)).isEqualTo(new Processed<>("m1"));
            assertThat(Threads.result(two)).isEqualTo(new Processed<>("m2"));
            assertThat(desk.count("stock where amount = 2")).isEqualTo(2);
            assertThat(desk.count("inbox_failure")).isZero();
        }
    }

    private static InboxResult<String> honest(
            Inbox inbox, String id, int first, int second, CountDownLatch bothLocked) {
        return inbox.process(id, CONSUMER, transaction -> {
            add(transaction.connection(), first);
            bothLocked.countDown();
            Threads.await(bothLocked);
            add(transaction.connection(), second);
            return id;
        });
    }

    private static void add(Connection connection, int id) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("update stock set amount = amount + 1 where id = " + id);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("I7")
    void aHandlerThatRollsBackBehindTheInboxIsNeverTakenForASuccess(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = desk.inbox().build();

            assertThatThrownBy(() -> inbox.process("m1", CONSUMER, transaction -> {
                        Desk.insertEffect(transaction.connection(), "m1", CONSUMER);
                        try (Statement statement = transaction.connection().createStatement()) {
                            statement.execute("rollback");
                        }
                        Desk.insertEffect(transaction.connection(), "m1", CONSUMER);
                        return "done";
                    }))
                    .satisfies(e -> assertThat(reason(e)).isIn(Reason.TRANSACTION_LOST, Reason.HANDLER_FAILED));

            assertThat(desk.marks()).isZero();
            assertThat(desk.effects()).as("what it wrote after that").isZero();
            assertThat(inbox.process("m1", CONSUMER, transaction -> transaction.attempt()))
                    .isEqualTo(new Processed<>(2));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void theConnectionRefusesToEndTheTransactionButKnowsSavepoints(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = desk.inbox().build();
            List<Connection> kept = new ArrayList<>();

            InboxResult<String> result = inbox.process("m1", CONSUMER, transaction -> {
                Connection connection = transaction.connection();
                kept.add(connection);
                refuses(connection::commit, "commit");
                refuses(connection::rollback, "rollback");
                refuses(connection::close, "close");
                refuses(() -> connection.setAutoCommit(true), "setAutoCommit");
                refuses(
                        () -> connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE),
                        "setTransactionIsolation");
                refuses(() -> connection.abort(Runnable::run), "abort");
                Desk.insertEffect(connection, "kept", CONSUMER);
                Savepoint savepoint = connection.setSavepoint();
                Desk.insertEffect(connection, "undone", CONSUMER);
                connection.rollback(savepoint);
                return "done";
            });

            assertThat(result).isEqualTo(new Processed<>("done"));
            assertThat(desk.effects()).isEqualTo(1);
            assertThatThrownBy(() -> kept.get(0).createStatement())
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("ended");
        }
    }

    private static void refuses(Action action, String what) {
        assertThatThrownBy(action::run)
                .isInstanceOf(SQLException.class)
                .hasMessageContaining(what)
                .hasMessageContaining("Postrider commits");
    }

    private interface Action {

        void run() throws SQLException;
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("R0.7")
    void whatAHandlerEnqueuesCommitsWithItsEffectOrNotAtAll(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = desk.inbox().build();
            OutboxMessage invoice = OutboxMessage.to("invoices", "Sent").build();

            assertThatThrownBy(() -> inbox.process("m1", CONSUMER, transaction -> {
                        transaction.enqueue(invoice);
                        throw new IllegalStateException("too late");
                    }))
                    .isInstanceOf(InboxException.class);
            assertThat(desk.count("outbox_message")).isZero();

            assertThat(inbox.process("m1", CONSUMER, transaction -> transaction.enqueue(invoice)))
                    .isInstanceOfSatisfying(
                            Processed.class, done -> assertThat(done.value()).isNotNull());
            inbox.process("m1", CONSUMER, transaction -> transaction.enqueue(invoice));

            assertThat(desk.count("outbox_message")).isEqualTo(1);
            assertThatThrownBy(() -> JdbcInbox.of(desk.pool())
                            .process("m2", CONSUMER, transaction -> transaction.enqueue(invoice)))
                    .hasRootCauseInstanceOf(IllegalStateException.class);
        }
    }

    // The outbox ends the transaction of an enqueue that failed; a handler that overlooks that is found out.
    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("I7")
    void aHandlerThatOverlooksAnEnqueueThatFailedIsNeverTakenForASuccess(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = desk.inbox().build();
            OutboxMessage invoice = OutboxMessage.to("invoices", "Sent").build();
            inbox.process("m0", CONSUMER, transaction -> transaction.enqueue(invoice));

            assertThatThrownBy(() -> inbox.process("m1", CONSUMER, transaction -> {
                        Desk.insertEffect(transaction.connection(), "m1", CONSUMER);
                        try {
                            transaction.enqueue(invoice);
                        } catch (RuntimeException e) {
                            // overlooked: the id is taken
                        }
                        return "done";
                    }))
                    .satisfies(e -> assertThat(reason(e)).isEqualTo(Reason.TRANSACTION_LOST));

            assertThat(desk.effects()).isZero();
            assertThat(desk.count("outbox_message")).isEqualTo(1);
            assertThat(desk.marks()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void anInterruptedHandlerIsNotCountedAndTheThreadStaysInterrupted(Kind kind) throws Exception {
        try (Desk desk = Desk.open(kind);
                Threads threads = new Threads()) {
            Inbox inbox = desk.inbox().build();

            boolean interrupted = Threads.result(threads.start(() -> {
                assertThatThrownBy(() -> inbox.process("m1", CONSUMER, transaction -> {
                            throw new InterruptedException("shutting down");
                        }))
                        .satisfies(e -> assertThat(reason(e)).isEqualTo(Reason.INFRASTRUCTURE));
                return Thread.interrupted();
            }));

            assertThat(interrupted).isTrue();
            assertThat(desk.count("inbox_failure")).isZero();
            assertThat(inbox.process("m1", CONSUMER, effect("m1"))).isEqualTo(new Processed<>("done m1"));
        }
    }

    private static Reason reason(Throwable error) {
        assertThat(error).isInstanceOf(InboxException.class);
        return ((InboxException) error).reason();
    }
}
