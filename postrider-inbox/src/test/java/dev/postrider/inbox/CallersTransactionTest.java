package dev.postrider.inbox;

import static dev.postrider.inbox.Desk.CONSUMER;
import static dev.postrider.inbox.Desk.effect;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.OutboxMessage;
import dev.postrider.inbox.InboxException.Reason;
import dev.postrider.inbox.InboxResult.Duplicate;
import dev.postrider.inbox.InboxResult.Processed;
import dev.postrider.services.Database.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The inbox in a transaction that somebody else commits. */
@Tag("R0.7")
@Tag("B5")
final class CallersTransactionTest {

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("I1")
    @Tag("I4")
    void markAndEffectAndMessagesCommitOrRollBackWithTheCaller(Kind kind) throws SQLException {
        try (Desk desk = Desk.open(kind);
                Connection connection = open(desk)) {
            Inbox inbox = desk.inbox().build();
            InboxHandler<String> handler = transaction -> {
                transaction.enqueue(OutboxMessage.to("invoices", "Sent").build());
                return effect("m1").handle(transaction);
            };

            assertThat(inbox.process("m1", CONSUMER, connection, handler)).isEqualTo(new Processed<>("done m1"));
            connection.rollback();
            assertThat(desk.effects() + desk.marks() + desk.count("outbox_message"))
                    .isZero();

            assertThat(inbox.process("m1", CONSUMER, connection, handler)).isEqualTo(new Processed<>("done m1"));
            assertThat(inbox.process("m1", CONSUMER, connection, handler))
                    .as("in the same transaction")
                    .isEqualTo(new Duplicate<>());
            Desk.insertEffect(connection, "own", CONSUMER);
            connection.commit();
            assertThat(inbox.process("m1", CONSUMER, connection, handler)).isEqualTo(new Duplicate<>());
            Desk.insertEffect(connection, "own", CONSUMER);
            connection.commit();

            assertThat(desk.count("effect where message_id = 'm1'")).isEqualTo(1);
            assertThat(desk.count("effect where message_id = 'own'"))
                    .as("a duplicate leaves the transaction usable")
                    .isEqualTo(2);
            assertThat(desk.marks()).isEqualTo(1);
            assertThat(desk.count("outbox_message")).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("I4")
    @Tag("I7")
    void afterAFailureTheTransactionIsAsItWasSoThatNoMarkIsCommittedWithoutItsEffect(Kind kind) throws SQLException {
        try (Desk desk = Desk.open(kind);
                Connection connection = open(desk)) {
            Inbox inbox = desk.inbox().build();
            Desk.insertEffect(connection, "before", CONSUMER);

            assertThatThrownBy(() -> inbox.process("m1", CONSUMER, connection, transaction -> {
                        Desk.insertEffect(transaction.connection(), "m1", CONSUMER);
                        throw new IllegalStateException("bad");
                    }))
                    .isInstanceOfSatisfying(
                            InboxException.class, e -> assertThat(e.reason()).isEqualTo(Reason.HANDLER_FAILED));
            assertThatThrownBy(() -> inbox.process("m2", CONSUMER, connection, transaction -> {
                        Desk.insertEffect(transaction.connection(), "m2", CONSUMER);
                        try (Statement statement = transaction.connection().createStatement()) {
                            statement.execute("insert into stock (id, amount) values (1, 1)");
                        }
                        return "done";
                    }))
                    .isInstanceOf(InboxException.class);
            connection.commit();

            assertThat(desk.marks()).isZero();
            assertThat(desk.effects()).isEqualTo(1);
            assertThat(desk.count("effect where message_id = 'before'")).isEqualTo(1);
            assertThat(desk.count("inbox_failure")).as("nothing is counted").isZero();
            assertThat(inbox.process("m1", CONSUMER, connection, effect("m1"))).isEqualTo(new Processed<>("done m1"));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18"})
    @Tag("I7")
    void anErrorThatTheHandlerOverlooksIsFoundOnPostgres(Kind kind) throws SQLException {
        try (Desk desk = Desk.open(kind);
                Connection connection = open(desk)) {
            Inbox inbox = desk.inbox().build();
            Desk.insertEffect(connection, "before", CONSUMER);

            assertThatThrownBy(() -> inbox.process("m1", CONSUMER, connection, transaction -> {
                        try (Statement statement = transaction.connection().createStatement()) {
                            statement.execute("insert into stock (id, amount) values (1, 1)");
                        } catch (SQLException e) {
                            // overlooked
                        }
                        return "done";
                    }))
                    .isInstanceOfSatisfying(
                            InboxException.class, e -> assertThat(e.reason()).isEqualTo(Reason.TRANSACTION_LOST));
            connection.commit();

            assertThat(desk.marks()).isZero();
            assertThat(desk.effects()).as("what the caller wrote before").isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL"})
    @Tag("I7")
    void aTransactionThatTheDatabaseGaveUpCannotBeCommittedInPart(Kind kind) throws Exception {
        try (Desk desk = Desk.open(kind);
                Threads threads = new Threads();
                Connection connection = open(desk);
                Connection other = open(desk)) {
            Inbox inbox = desk.inbox().build();
            Desk.insertEffect(connection, "before", CONSUMER);
            update(other, 2, 1_000);
            CountDownLatch crossed = new CountDownLatch(1);
            Future<Boolean> victor = threads.start(() -> {
                Threads.await(crossed);
                // More rows make it the heavier one, which the database lets win.
                update(other, 1, 0);
                other.rollback();
                return true;
            });

            assertThatThrownBy(() -> inbox.process("m1", CONSUMER, connection, transaction -> {
                        update(transaction.connection(), 1, 0);
                        crossed.countDown();
                        update(transaction.connection(), 2, 0);
                        return "done";
                    }))
                    .isInstanceOf(InboxException.class);

            assertThat(Threads.result(victor)).isTrue();
            assertThatThrownBy(() -> Desk.insertEffect(connection, "after", CONSUMER))
                    .as("what follows does not commit")
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            e -> assertThat(e.getErrorCode()).isEqualTo(1792));
            connection.rollback();
            assertThat(desk.effects() + desk.marks()).isZero();
        }
    }

    private static void update(Connection connection, int id, int further) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("update stock set amount = amount + 1 where id = " + id);
            for (int i = 0; i < further; i += 100) {
                StringBuilder rows = new StringBuilder("insert into effect (message_id, consumer) values ('x', 'x')");
                rows.append(", ('x', 'x')".repeat(99));
                statement.executeUpdate(rows.toString());
            }
        }
    }

    // At REPEATABLE READ and above a row that somebody else has committed meanwhile is an error of the transaction.
    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18"})
    void onPostgresARepeatableReadOfTheCallerFailsWhereAReadCommittedSeesADuplicate(Kind kind) throws SQLException {
        try (Desk desk = Desk.open(kind);
                Connection connection = desk.database().dataSource().getConnection()) {
            Inbox inbox = desk.inbox().build();
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.execute("select count(*) from effect");
            }
            inbox.process("m1", CONSUMER, effect("m1"));

            assertThatThrownBy(() -> inbox.process("m1", CONSUMER, connection, effect("m1")))
                    .cause()
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("40001"));
            connection.rollback();
            assertThat(inbox.process("m1", CONSUMER, connection, effect("m1"))).isEqualTo(new Duplicate<>());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void aConnectionWithoutATransactionIsRefused(Kind kind) throws SQLException {
        try (Desk desk = Desk.open(kind);
                Connection connection = desk.database().dataSource().getConnection()) {
            Inbox inbox = desk.inbox().build();

            assertThatIllegalStateException()
                    .isThrownBy(() -> inbox.process("m1", CONSUMER, connection, effect("m1")))
                    .withMessageContaining("setAutoCommit(false)");
        }
    }

    private static Connection open(Desk desk) throws SQLException {
        Connection connection = desk.database().dataSource().getConnection();
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        connection.setAutoCommit(false);
        return connection;
    }
}
