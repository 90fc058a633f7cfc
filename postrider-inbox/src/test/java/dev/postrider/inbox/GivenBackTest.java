package dev.postrider.inbox;

import static dev.postrider.inbox.Desk.CONSUMER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.inbox.InboxException.Reason;
import dev.postrider.services.Database.Kind;
import dev.postrider.services.SingleConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A connection goes back as it came, whatever became of the message. */
@Tag("B5")
final class GivenBackTest {

    @ParameterizedTest
    @CsvSource({
        "POSTGRES_18, true", "POSTGRES_18, false", "MARIADB, true", "MARIADB, false",
        "MYSQL, true", "MYSQL, false", "H2, true", "H2, false"
    })
    @Tag("I5")
    void noTransactionIsLeftOpen(Kind kind, boolean autoCommit) throws SQLException {
        try (Desk desk = Desk.open(kind);
                Connection only = desk.database().dataSource().getConnection();
                Connection other = desk.database().dataSource().getConnection()) {
            only.setAutoCommit(autoCommit);
            Inbox inbox = JdbcInbox.builder(new SingleConnection(only))
                    .lockWait(Duration.ofSeconds(1))
                    .build();

            inbox.process("m1", CONSUMER, Desk.effect("m1"));
            assertUsable(only, autoCommit);
            inbox.process("m1", CONSUMER, Desk.effect("m1"));
            assertUsable(only, autoCommit);
            fails(
                    Reason.HANDLER_FAILED,
                    () -> inbox.process("m2", CONSUMER, transaction -> {
                        throw new IllegalStateException("no");
                    }));
            assertUsable(only, autoCommit);
            other.setAutoCommit(false);
            mark(other, "m3");
            fails(Reason.BUSY, () -> inbox.process("m3", CONSUMER, Desk.effect("m3")));
            other.rollback();
            assertUsable(only, autoCommit);

            assertThat(desk.count("stock where amount = 4")).isEqualTo(1);
            assertThat(desk.effects()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_15", "POSTGRES_18"})
    @Tag("I7")
    void whatFailsWithTheCommitIsRolledBackAndCounted(Kind kind) throws SQLException {
        try (Desk desk = Desk.open(kind);
                Connection only = desk.database().dataSource().getConnection()) {
            desk.execute("alter table effect add unique (message_id) deferrable initially deferred");
            Inbox inbox = JdbcInbox.builder(new SingleConnection(only)).build();

            fails(
                    Reason.HANDLER_FAILED,
                    () -> inbox.process("m1", CONSUMER, transaction -> {
                        Desk.insertEffect(transaction.connection(), "m1", CONSUMER);
                        Desk.insertEffect(transaction.connection(), "m1", CONSUMER);
                        return "twice";
                    }));

            assertUsable(only, true);
            assertThat(desk.effects() + desk.marks()).isZero();
            assertThat(inbox.process("m1", CONSUMER, InboxTransaction::attempt))
                    .isEqualTo(new InboxResult.Processed<>(2));
            assertThat(desk.count("inbox_failure")).isZero();
        }
    }

    private static void fails(Reason reason, ThrowingCallable work) {
        assertThatThrownBy(work)
                .isInstanceOfSatisfying(
                        InboxException.class, e -> assertThat(e.reason()).isEqualTo(reason));
    }

    private static void mark(Connection connection, String id) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("insert into inbox_message (consumer, message_id, processed_at) values ('%s', '%s',"
                            .formatted(CONSUMER, id)
                    + " current_timestamp)");
        }
    }

    // An update that is rolled back would show that an earlier transaction was left open.
    private static void assertUsable(Connection connection, boolean autoCommit) throws SQLException {
        assertThat(connection.getAutoCommit()).isEqualTo(autoCommit);
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("update stock set amount = amount + 1 where id = 1");
        }
        if (!autoCommit) {
            connection.commit();
        }
    }
}
