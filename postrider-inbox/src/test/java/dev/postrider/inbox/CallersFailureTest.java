package dev.postrider.inbox;

import static dev.postrider.inbox.Desk.CONSUMER;
import static dev.postrider.inbox.Desk.effect;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.postrider.database.FaultPoints;
import dev.postrider.inbox.InboxException.Reason;
import dev.postrider.inbox.InboxResult.Duplicate;
import dev.postrider.inbox.InboxResult.Processed;
import dev.postrider.services.Database.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What goes wrong in a transaction that somebody else commits, and what is left of it if they commit all the same. */
final class CallersFailureTest {

    private static final String ANCIENT = "00000000-0001-7000-8000-000000000000";

    /** The end of a process, as far as code can feel it. */
    private static final class Crash extends VirtualMachineError {}

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("I4")
    void errorOfTheMachineLeavesNoMarkAndIsThrownAsItCame(Kind kind) throws SQLException {
        try (Desk desk = Desk.open(kind);
                Connection connection = open(desk)) {
            Inbox inbox = desk.inbox().build();

            assertThatThrownBy(() -> inbox.process("m1", CONSUMER, connection, transaction -> {
                        effect("m1").handle(transaction);
                        throw new Crash();
                    }))
                    .isInstanceOf(Crash.class);
            for (String point : List.of("inbox.claimed", "inbox.handled")) {
                try (FaultPoints points = FaultPoints.install(reached -> {
                    if (reached.equals(point)) {
                        throw new Crash();
                    }
                })) {
                    assertThat(points).isNotNull();
                    assertThatThrownBy(() -> inbox.process("m1", CONSUMER, connection, effect("m1")))
                            .as(point)
                            .isInstanceOf(Crash.class);
                }
            }
            connection.commit();

            assertThat(desk.marks() + desk.effects()).isZero();
            assertThat(inbox.process("m1", CONSUMER, connection, effect("m1"))).isEqualTo(new Processed<>("done m1"));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("I7")
    void handlerThatRollsBackIsFoundAndWhatFollowsDoesNotCommit(Kind kind) throws SQLException {
        try (Desk desk = Desk.open(kind);
                Connection connection = open(desk)) {
            Inbox inbox = desk.inbox().build();
            Desk.insertEffect(connection, "before", CONSUMER);

            InboxException failure = catchThrowableOfType(
                    InboxException.class,
                    () -> inbox.process("m1", CONSUMER, connection, transaction -> {
                        try (Statement statement = transaction.connection().createStatement()) {
                            statement.execute("rollback");
                        }
                        Desk.insertEffect(transaction.connection(), "m1", CONSUMER);
                        return "done";
                    }));
            Throwable refusal = catchThrowable(() -> {
                Desk.insertEffect(connection, "after", CONSUMER);
                connection.commit();
            });

            assertThat(failure.reason()).isEqualTo(Reason.TRANSACTION_LOST);
            assertThat(failure)
                    .cause()
                    .satisfies(cause -> assertThat(cause.getSuppressed())
                            .as("that the savepoint is gone")
                            .isNotEmpty());
            assertThat(refusal).isInstanceOf(SQLException.class);
            assertThat(desk.effects() + desk.marks()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("I3")
    void messageInOtherHandsIsBusy(Kind kind) throws SQLException {
        try (Desk desk = Desk.open(kind);
                Connection connection = open(desk);
                Connection other = open(desk)) {
            Inbox inbox = desk.inbox().build();
            inbox.process("m1", CONSUMER, other, transaction -> "first");
            try (Statement statement = connection.createStatement()) {
                statement.execute(
                        switch (kind) {
                            case POSTGRES_15, POSTGRES_18 -> "set lock_timeout = '300ms'";
                            case MARIADB, MYSQL -> "set session innodb_lock_wait_timeout = 1";
                            case H2 -> "set lock_timeout 300";
                        });
            }

            InboxException failure = catchThrowableOfType(
                    InboxException.class, () -> inbox.process("m1", CONSUMER, connection, effect("m1")));

            assertThat(failure.reason()).isEqualTo(Reason.BUSY);
            assertThat(failure).hasMessageContaining("it is being handled elsewhere");
            other.commit();
            assertThat(inbox.process("m1", CONSUMER, connection, effect("m1"))).isEqualTo(new Duplicate<>());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    @Tag("I11")
    void messageBeyondTheHorizonIsADuplicateOnlyWhereItIsToBeSkipped(Kind kind) throws SQLException {
        try (Desk desk = Desk.open(kind);
                Connection connection = open(desk)) {
            Inbox parking = desk.inbox().horizon(Horizon.PARK).build();
            Inbox skipping = desk.inbox().horizon(Horizon.SKIP).build();

            InboxException failure = catchThrowableOfType(
                    InboxException.class, () -> parking.process(ANCIENT, CONSUMER, connection, effect("old")));

            assertThat(failure.reason()).isEqualTo(Reason.BEYOND_HORIZON);
            assertThat(skipping.process(ANCIENT, CONSUMER, connection, effect("old")))
                    .isEqualTo(new Duplicate<>());
            connection.commit();
            assertThat(desk.effects() + desk.marks()).isZero();
        }
    }

    private static Connection open(Desk desk) throws SQLException {
        Connection connection = desk.database().dataSource().getConnection();
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        connection.setAutoCommit(false);
        return connection;
    }
}
