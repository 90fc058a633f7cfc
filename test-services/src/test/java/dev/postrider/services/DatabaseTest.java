package dev.postrider.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.postrider.services.Database.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

final class DatabaseTest {

    @ParameterizedTest
    @EnumSource
    void aSharedServerAnswersAndIsStartedOnce(Kind kind) throws SQLException {
        assumeAvailable(kind);

        Database database = Database.shared(kind);

        assertThat(number(database, "select 1")).isEqualTo(1);
        assertThat(Database.shared(kind)).isSameAs(database);
    }

    @ParameterizedTest
    @EnumSource
    void freshDatabasesAreSeparate(Kind kind) throws SQLException {
        assumeAvailable(kind);
        try (Database first = Database.shared(kind).freshDatabase();
                Database second = Database.shared(kind).freshDatabase()) {
            execute(first, "create table t (id int primary key)");
            execute(second, "create table t (id int primary key)");

            execute(first, "insert into t values (7)");

            assertThat(number(first, "select count(*) from t")).isEqualTo(1);
            assertThat(number(second, "select count(*) from t")).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aClosedFreshDatabaseIsGone(Kind kind) throws SQLException {
        assumeAvailable(kind);
        Database fresh = Database.shared(kind).freshDatabase();
        execute(fresh, "create table t (id int primary key)");

        fresh.close();

        assertThatThrownBy(() -> execute(fresh, "select * from t")).isInstanceOf(SQLException.class);
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "H2")
    void committedRowsSurviveKillAndRestart(Kind kind) throws SQLException {
        assumeAvailable(kind);
        try (Database server = Database.start(kind);
                Database database = server.freshDatabase()) {
            execute(database, "create table t (id int primary key)");
            execute(database, "insert into t values (7)");
            long firstPid = database.pid();
            String url = database.jdbcUrl();

            database.kill();
            assertThatThrownBy(() -> number(database, "select 1")).isInstanceOf(SQLException.class);
            database.restart();

            assertThat(number(database, "select id from t")).isEqualTo(7);
            assertThat(database.pid()).isNotEqualTo(firstPid);
            assertThat(database.jdbcUrl()).isEqualTo(url);
            assertThat(ProcessHandle.of(firstPid)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "H2")
    void aRunningServerCanBeRestartedWhileClientsAreConnected(Kind kind) throws SQLException {
        assumeAvailable(kind);
        try (Database server = Database.start(kind, ServerOptions.defaults().withDurable(true));
                Connection idle = server.dataSource().getConnection()) {
            server.restart();

            assertThat(number(server, "select 1")).isEqualTo(1);
            assertThat(idle.isValid(1)).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "H2")
    void aClosedServerLeavesNoProcess(Kind kind) {
        assumeAvailable(kind);
        Database server = Database.start(kind);
        ProcessHandle process = ProcessHandle.of(server.pid()).orElseThrow();

        server.close();

        assertThat(process.isAlive()).isFalse();
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_15", "POSTGRES_18"})
    void settingsReachPostgres(Kind kind) throws SQLException {
        assumeAvailable(kind);
        ServerOptions options = ServerOptions.defaults()
                .withDurable(true)
                .withBufferMegabytes(64)
                .withTimeZone(ZoneId.of("Europe/Berlin"))
                .withSetting("wal_level", "logical");

        try (Database server = Database.start(kind, options)) {
            assertThat(text(server, "show fsync")).isEqualTo("on");
            assertThat(text(server, "show shared_buffers")).isEqualTo("64MB");
            assertThat(text(server, "show wal_level")).isEqualTo("logical");
            // Not timezone: the driver sets that for its session, to the zone of the JVM.
            assertThat(text(server, "show log_timezone")).isEqualTo("Europe/Berlin");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL"})
    void settingsReachMariaDbAndMySql(Kind kind) throws SQLException {
        assumeAvailable(kind);
        ServerOptions options = ServerOptions.defaults()
                .withDurable(true)
                .withBufferMegabytes(64)
                .withTimeZone(ZoneId.of("Europe/Berlin"))
                .withSetting("innodb_lock_wait_timeout", "7");

        try (Database server = Database.start(kind, options)) {
            assertThat(number(server, "select @@innodb_flush_log_at_trx_commit"))
                    .isEqualTo(1);
            assertThat(number(server, "select @@innodb_buffer_pool_size")).isEqualTo(64L << 20);
            assertThat(number(server, "select @@innodb_lock_wait_timeout")).isEqualTo(7);
            assertThat(number(server, "select @@max_allowed_packet")).isEqualTo(64L << 20);
            // 2026-07-01 12:00 and 2026-01-01 12:00 in UTC
            assertThat(number(server, "select hour(from_unixtime(1782907200))")).isEqualTo(14);
            assertThat(number(server, "select hour(from_unixtime(1767268800))")).isEqualTo(13);
        }
    }

    @Test
    void theSharedServerRefusesToBeKilled() {
        try (Database fresh = Database.shared(Kind.H2).freshDatabase()) {
            assertThatThrownBy(fresh::kill)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("shared");
        }
    }

    @Test
    void aServerThatCannotStartShowsItsLog() {
        assumeAvailable(Kind.POSTGRES_18);
        ServerOptions wrong = ServerOptions.defaults().withSetting("no_such_setting", "1");

        assertThatThrownBy(() -> Database.start(Kind.POSTGRES_18, wrong))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("unrecognized configuration parameter \"no_such_setting\"");
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL"})
    void aFreshDatabaseOnADeadServerFailsWithTheExitStatusAndTheLog(Kind kind) {
        assumeAvailable(kind);
        try (Database server = Database.start(kind)) {
            ProcessHandle process = ProcessHandle.of(server.pid()).orElseThrow();
            process.destroyForcibly();
            process.onExit().join();

            assertThatThrownBy(server::freshDatabase)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("has ended with status 137: Could not run [create database")
                    .hasMessageContaining(lastLine(server.log()))
                    .hasCauseInstanceOf(SQLException.class);
        }
    }

    @Test
    void aFreshDatabaseThatTheServerRefusesFailsWithItsReason() throws SQLException {
        assumeAvailable(Kind.MARIADB);
        List<Connection> connections = new ArrayList<>();
        try (Database server =
                Database.start(Kind.MARIADB, ServerOptions.defaults().withSetting("max_connections", "10"))) {
            // One more than allowed is left to the administrator.
            for (int i = 0; i <= 10; i++) {
                connections.add(server.dataSource().getConnection());
            }

            assertThatThrownBy(server::freshDatabase)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("runs as process " + server.pid())
                    .hasMessageContaining("Too many connections");
        } finally {
            for (Connection connection : connections) {
                connection.close();
            }
        }
    }

    @Test
    void theFetchedArchivesAreOnThisMachine() {
        for (String name : new String[] {"postgres-15", "postgres-18", "mariadb", "mysql"}) {
            Path archive = Artifacts.path(name);

            assertThat(Files.isRegularFile(archive)).as(archive.toString()).isTrue();
        }
    }

    private static String lastLine(String log) {
        return log.lines().reduce((first, second) -> second).orElseThrow();
    }

    private static void assumeAvailable(Kind kind) {
        Availability availability = Database.available(kind);
        assumeTrue(availability.available(), availability.reason());
    }

    private static void execute(Database database, String sql) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static long number(Database database, String query) throws SQLException {
        return Long.parseLong(text(database, query));
    }

    private static String text(Database database, String query) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            assertThat(result.next()).isTrue();
            return result.getString(1);
        }
    }
}
