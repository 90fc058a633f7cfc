package dev.postrider.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.services.Database.Kind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the databases do when two transactions insert the same mark: the facts that the inbox is built on. If one of
 * them changes with a new version, this says so before an inbox misbehaves.
 */
@Tag("B5")
final class DatabaseBehaviourTest {

    private static final String VALUES =
            "into inbox_message (consumer, message_id, processed_at) values ('c', 'm', %s)";

    @ParameterizedTest
    @CsvSource({
        // kind, isolation, statement, what the second gets when the first commits, whether its transaction lives on
        "POSTGRES_18, 2, insert %s on conflict do nothing, 0 rows, true",
        "POSTGRES_18, 4, insert %s on conflict do nothing, 40001, false",
        "POSTGRES_18, 8, insert %s on conflict do nothing, 40001, false",
        "POSTGRES_18, 2, insert %s, 23505, false",
        "POSTGRES_18, 4, insert %s, 23505, false",
        "MARIADB, 2, insert ignore %s, 0 rows, true",
        "MARIADB, 4, insert ignore %s, 0 rows, true",
        "MARIADB, 2, insert %s, 1062, true",
        "MARIADB, 4, insert %s, 1062, true",
        "MARIADB, 2, insert %s on duplicate key update source = source, 1 rows, true",
        "MYSQL, 2, insert ignore %s, 0 rows, true",
        "MYSQL, 4, insert ignore %s, 0 rows, true",
        "MYSQL, 2, insert %s, 1062, true",
        "MYSQL, 4, insert %s, 1062, true",
        "MYSQL, 2, insert %s on duplicate key update source = source, 1 rows, true",
        "H2, 2, insert %s, 23505, true",
        "H2, 4, insert %s, 23505, true"
    })
    void theSecondInsertWaitsAndThenSeesWhatTheFirstDid(
            Kind kind, int isolation, String statement, String afterCommit, boolean livesOn) throws Exception {
        try (Desk desk = Desk.open(kind)) {
            String insert = statement.formatted(VALUES.formatted(now(kind)));

            assertThat(second(desk, insert, isolation, true)).isEqualTo(afterCommit + " " + livesOn);
            desk.execute("delete from inbox_message");
            assertThat(second(desk, insert, isolation, false)).isEqualTo("1 rows true");
        }
    }

    // Default from MariaDB 11.6.2 on: a transaction that has read already is not told of a duplicate but ended. This is
    // why the inbox asks nothing in the transaction before its insert.
    @ParameterizedTest
    @CsvSource({"MARIADB"})
    void withSnapshotIsolationAReadBeforeTheInsertTurnsADuplicateIntoAnError(Kind kind) throws SQLException {
        try (Desk desk = Desk.open(kind);
                Connection first = open(desk, Connection.TRANSACTION_REPEATABLE_READ);
                Connection second = open(desk, Connection.TRANSACTION_REPEATABLE_READ)) {
            Assumptions.assumeTrue(
                    desk.count("information_schema.system_variables where variable_name = 'INNODB_SNAPSHOT_ISOLATION'")
                            == 1,
                    "this MariaDB knows no snapshot isolation");
            try (Statement statement = second.createStatement();
                    Statement insert = first.createStatement()) {
                statement.execute("set session innodb_snapshot_isolation = on");
                statement.execute("select count(*) from inbox_message");
                insert.execute("insert " + VALUES.formatted(now(kind)));
                first.commit();

                assertThat(outcome(second, "insert " + VALUES.formatted(now(kind))))
                        .isEqualTo("1020");
            }
        }
    }

    // pgjdbc's commit of a transaction that is dead returns as if nothing were wrong; hence the check before it.
    @ParameterizedTest
    @CsvSource({"POSTGRES_18"})
    void aCommitOfADeadTransactionReturnsWithoutAWordAndCommitsNothing(Kind kind) throws SQLException {
        try (Desk desk = Desk.open(kind);
                Connection connection = open(desk, Connection.TRANSACTION_READ_COMMITTED)) {
            assertThat(outcome(connection, "insert " + VALUES.formatted(now(kind))))
                    .isEqualTo("1 rows");
            assertThat(outcome(connection, "insert into stock (id, amount) values (1, 1)"))
                    .isEqualTo("23505");

            connection.commit();

            assertThat(desk.marks()).isZero();
        }
    }

    private static String second(Desk desk, String insert, int isolation, boolean commits) throws Exception {
        try (Threads threads = new Threads();
                Connection first = open(desk, isolation);
                Connection second = open(desk, isolation)) {
            assertThat(outcome(first, insert)).isEqualTo("1 rows");
            Future<String> waiting = threads.start(() -> outcome(second, insert));
            assertThat(stillWaits(waiting)).as("the second waits").isTrue();
            if (commits) {
                first.commit();
            } else {
                first.rollback();
            }
            String outcome = Threads.result(waiting);
            boolean livesOn =
                    outcome(second, "update stock set amount = 1 where id = 1").equals("1 rows");
            second.rollback();
            return outcome + " " + livesOn;
        }
    }

    private static boolean stillWaits(Future<String> future) throws Exception {
        try {
            future.get(Duration.ofMillis(150).toMillis(), TimeUnit.MILLISECONDS);
            return false;
        } catch (TimeoutException e) {
            return true;
        }
    }

    /** Returns how many rows were changed, or the state of the error; for MariaDB and MySQL its code. */
    private static String outcome(Connection connection, String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            return statement.executeUpdate() + " rows";
        } catch (SQLException e) {
            boolean byCode = connection.getMetaData().getURL().startsWith("jdbc:m");
            return byCode ? String.valueOf(e.getErrorCode()) : e.getSQLState();
        }
    }

    private static Connection open(Desk desk, int isolation) throws SQLException {
        Connection connection = desk.database().dataSource().getConnection();
        connection.setTransactionIsolation(isolation);
        connection.setAutoCommit(false);
        if (desk.kind() == Kind.H2) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("set lock_timeout 60000");
            }
        }
        return connection;
    }

    private static String now(Kind kind) {
        return kind == Kind.MARIADB || kind == Kind.MYSQL ? "utc_timestamp(6)" : "current_timestamp";
    }
}
