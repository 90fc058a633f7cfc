package dev.postrider.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.postrider.services.Database.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class PreparedDatabasesTest {

    private final PreparedDatabases databases = new PreparedDatabases(PreparedDatabasesTest::prepare);

    @ParameterizedTest
    @EnumSource
    void aClosedDatabaseIsHandedOutAgainInItsFirstState(Kind kind) throws SQLException {
        assumeAvailable(kind);
        String name;
        try (Database database = databases.take(kind)) {
            name = database.name();
            execute(
                    database.dataSource(),
                    "insert into counted (what) values ('a')",
                    "insert into counted (what) values ('b')",
                    "delete from counted where what = 'b'",
                    "update kept set amount = 9 where id = 1",
                    "delete from kept where id = 2");
        }

        try (Database again = databases.take(kind)) {
            assertThat(again.name()).isEqualTo(name);
            assertThat(text(again, "select count(*) from counted")).isEqualTo("0");
            assertThat(text(again, "select sum(amount) from kept")).isEqualTo("3");
            execute(again.dataSource(), "insert into counted (what) values ('c')");
            assertThat(text(again, "select id from counted")).isEqualTo("1");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aCounterThatARolledBackInsertMovedIsSetBack(Kind kind) throws SQLException {
        assumeAvailable(kind);
        try (Database database = databases.take(kind);
                Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("insert into counted (what) values ('a')");
            connection.rollback();
        }

        try (Database again = databases.take(kind)) {
            execute(again.dataSource(), "insert into counted (what) values ('b')");

            assertThat(text(again, "select id from counted")).isEqualTo("1");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aDatabaseWhoseTablesWereChangedIsNotHandedOutAgain(Kind kind) throws SQLException {
        assumeAvailable(kind);
        for (String change : new String[] {
            "alter table kept add column more integer", "create index by_amount on kept (amount)", "drop table counted"
        }) {
            String name;
            try (Database database = databases.take(kind)) {
                name = database.name();
                execute(database.dataSource(), change);
            }

            try (Database another = databases.take(kind)) {
                assertThat(another.name()).as(change).isNotEqualTo(name);
                assertThat(text(another, "select count(*) from counted")).isEqualTo("0");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aDatabaseThatWasClosedTwiceIsHandedOutOnce(Kind kind) {
        assumeAvailable(kind);
        Database first = databases.take(kind);
        first.close();
        first.close();

        try (Database second = databases.take(kind);
                Database third = databases.take(kind)) {
            assertThat(second.name()).isNotEqualTo(third.name());
        }
    }

    private static void prepare(DataSource source) {
        String identity = source.getClass().getName().contains("Maria")
                        || source.getClass().getName().contains("Mysql")
                ? "bigint not null auto_increment primary key"
                : "bigint not null generated always as identity primary key";
        execute(
                source,
                "create table counted (id " + identity + ", what varchar(10) not null)",
                "create table kept (id integer not null primary key, amount integer not null)",
                "insert into kept (id, amount) values (1, 1), (2, 2)");
    }

    private static void execute(DataSource source, String... statements) {
        Sql.execute(source, statements);
    }

    private static String text(Database database, String query) throws SQLException {
        return Sql.queryText(database.dataSource(), query);
    }

    private static void assumeAvailable(Kind kind) {
        Availability availability = Database.available(kind);
        assumeTrue(availability.available(), availability.reason());
    }
}
