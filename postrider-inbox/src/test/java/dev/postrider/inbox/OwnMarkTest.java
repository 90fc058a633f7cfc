package dev.postrider.inbox;

import static dev.postrider.inbox.Desk.CONSUMER;
import static dev.postrider.inbox.Desk.effect;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.admin.Decision;
import dev.postrider.inbox.InboxBatchResult.Entry;
import dev.postrider.inbox.InboxBatchResult.Outcome;
import dev.postrider.inbox.InboxException.Reason;
import dev.postrider.inbox.InboxResult.Duplicate;
import dev.postrider.inbox.InboxResult.Processed;
import dev.postrider.services.Database.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A handler loses its transaction and overlooks that. Before it writes on, another delivery of the same message is
 * handled and makes a mark of its own.
 */
@Tag("R0.7")
@Tag("B5")
@Tag("I1")
@Tag("I7")
final class OwnMarkTest {

    private static final ReceivedMessage MESSAGE =
            ReceivedMessage.from("orders").id("m1").key("a").sequence(1L).build();

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void markOfAnotherDeliveryDoesNotCommitALostTransaction(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = desk.inbox().build();

            transactionLost(() -> inbox.process("m1", CONSUMER, transaction -> {
                rollback(transaction);
                assertThat(inbox.process("m1", CONSUMER, effect("m1"))).isEqualTo(new Processed<>("done m1"));
                return effect("m1").handle(transaction);
            }));

            assertThat(desk.effects()).isEqualTo(1);
            assertThat(inbox.process("m1", CONSUMER, effect("m1"))).isEqualTo(new Duplicate<>());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void sequenceReachedByAnotherDeliveryDoesNotCommitALostTransaction(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = desk.inbox().dedupe(Dedupe.SEQUENCE).build();

            transactionLost(() -> inbox.process(MESSAGE, CONSUMER, transaction -> {
                rollback(transaction);
                assertThat(inbox.process(MESSAGE, CONSUMER, effect("m1"))).isEqualTo(new Processed<>("done m1"));
                return effect("m1").handle(transaction);
            }));

            assertThat(desk.effects()).isEqualTo(1);
            assertThat(inbox.process(MESSAGE, CONSUMER, effect("m1"))).isEqualTo(new Duplicate<>());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void markOfAnotherDeliveryDoesNotCommitALostBatch(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = desk.inbox().build();
            List<ReceivedMessage> batch =
                    List.of(MESSAGE, ReceivedMessage.from("orders").id("m2").build());

            InboxBatchResult result = inbox.processBatch(CONSUMER, batch, (messages, transaction) -> {
                if (messages.size() > 1) {
                    rollback(transaction);
                    assertThat(inbox.process(MESSAGE, CONSUMER, effect("m1"))).isEqualTo(new Processed<>("done m1"));
                }
                for (ReceivedMessage each : messages) {
                    effect(each.id().orElseThrow()).handle(transaction);
                }
            });

            assertThat(result.entries())
                    .extracting(Entry::outcome)
                    .containsExactly(Outcome.DUPLICATE, Outcome.PROCESSED);
            assertThat(desk.count("effect where message_id = 'm1'")).isEqualTo(1);
            assertThat(desk.count("effect where message_id = 'm2'")).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void markOfAnotherDeliveryDoesNotCommitALostReleasedMessage(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = desk.inbox().parkAfter(1).build();
            inbox.process(MESSAGE, CONSUMER, transaction -> {
                throw new IllegalStateException("bad");
            });
            desk.admin().release(CONSUMER, List.of("m1"), new Decision("ada", "repaired"));
            ReceivedHandler effects = (message, transaction) -> effect("m1").handle(transaction);

            int handled = inbox.processReleased(CONSUMER, 1, (message, transaction) -> {
                rollback(transaction);
                assertThat(inbox.processReleased(CONSUMER, 1, effects)).isEqualTo(1);
                effects.handle(message, transaction);
            });

            assertThat(handled).isZero();
            assertThat(desk.effects()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void markOfAnotherDeliveryDoesNotLetTheCallerCommitALostTransaction(Kind kind) throws SQLException {
        try (Desk desk = Desk.open(kind);
                Connection connection = open(desk)) {
            Inbox inbox = desk.inbox().build();

            transactionLost(() -> inbox.process("m1", CONSUMER, connection, transaction -> {
                rollback(transaction);
                assertThat(inbox.process("m1", CONSUMER, effect("m1"))).isEqualTo(new Processed<>("done m1"));
                return effect("m1").handle(transaction);
            }));
            if (!connection.isClosed()) {
                connection.commit();
            }

            assertThat(desk.effects()).isEqualTo(1);
        }
    }

    // H2 finds no deadlocks, and on PostgreSQL the transaction refuses every statement after one.
    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL"})
    void markOfAnotherDeliveryDoesNotCommitWhatFollowsAnOverlookedDeadlock(Kind kind) throws Exception {
        try (Desk desk = Desk.open(kind);
                Threads threads = new Threads();
                Connection other = open(desk)) {
            Inbox inbox = desk.inbox().build();
            CountDownLatch crossed = new CountDownLatch(1);
            // The database gives up the transaction with fewer rows.
            add(other, 2);
            for (int i = 0; i < 200; i++) {
                Desk.insertEffect(other, "other", "other");
            }
            Future<Boolean> victor = threads.start(() -> {
                Threads.await(crossed);
                add(other, 1);
                other.rollback();
                return true;
            });

            transactionLost(() -> inbox.process("m1", CONSUMER, transaction -> {
                add(transaction.connection(), 1);
                crossed.countDown();
                assertThatThrownBy(() -> add(transaction.connection(), 2))
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                e -> assertThat(e.getErrorCode()).isEqualTo(1213));
                assertThat(inbox.process("m1", CONSUMER, effect("m1"))).isEqualTo(new Processed<>("done m1"));
                return effect("m1").handle(transaction);
            }));

            assertThat(Threads.result(victor)).isTrue();
            assertThat(desk.effects()).isEqualTo(1);
        }
    }

    private static void transactionLost(ThrowingCallable work) {
        assertThatThrownBy(work)
                .isInstanceOfSatisfying(
                        InboxException.class, e -> assertThat(e.reason()).isEqualTo(Reason.TRANSACTION_LOST));
    }

    private static void rollback(InboxTransaction transaction) throws SQLException {
        try (Statement statement = transaction.connection().createStatement()) {
            statement.execute("rollback");
        }
    }

    private static void add(Connection connection, int id) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("update stock set amount = amount + 1 where id = " + id);
        }
    }

    private static Connection open(Desk desk) throws SQLException {
        Connection connection = desk.database().dataSource().getConnection();
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        connection.setAutoCommit(false);
        return connection;
    }
}
