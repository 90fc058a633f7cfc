package dev.postrider.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.OutboxException;
import dev.postrider.OutboxMessage;
import dev.postrider.database.Dialect;
import dev.postrider.database.SchemaFiles;
import dev.postrider.database.SchemaState;
import dev.postrider.database.TableNames;
import dev.postrider.database.TableSize;
import dev.postrider.jdbc.operator.JdbcOutboxAdmin;
import dev.postrider.services.Database.Kind;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Shards;
import dev.postrider.spi.TopicFilter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class OutboxSchemaTest {

    private static final String ISOLATION = "TRANSACTION_READ_COMMITTED";

    // The SHA-256 of every migration file, in the order of the versions. Append only.
    private static final Map<Dialect, List<String>> RELEASED = Map.of(
            Dialect.POSTGRESQL,
            List.of(
                    "5777cd1c90a2c736aa59808f7f7510a9d3035597f5a623741f49dd6f5c85f93c",
                    "d0824f80f63396f2b3e13d5d0a219d21afb6cd434d848b7a180a808ed6f48b94",
                    "8e1aee4560357a69bd449762906762f365b37068677c570f6d8c513951980f60",
                    "1dab95f7bf74b5a14d8f246fe8ef69e0f627a6cdaf93f100b8117e4ce96a195f",
                    "ef9c53a6d817db2130d17861265874cb26ba088e7de9bacbe0b60e194384646a",
                    "8bd896d2b55134e179414d809e1a93cfea6237dd7b96dcbb169be7a880baae77",
                    "13d86404f3a11f271037d29c9922d042ae75730038f00f240be5accdcccd3af8"),
            Dialect.MARIADB,
            List.of(
                    "a10c47dec0154a3689d181629a689961ac24770a1efdff2e81f9b5a1af85b185",
                    "03ceae649a6035dc1bf83dbeb9366304ac9feba370dfd053c4a28411cac62c28",
                    "f3293ad329f5260410334acfe64d86730c31a3eec8e211ef00514be421ea3f9b",
                    "446f864f3c8a928305ab8dec1fbb2aafc6aa30204441c177eb3ec71b702d9685",
                    "2d8aee469d5f2b27b1cb4063225aaa99ba198db91812ab459c1c6bd2c09337a6",
                    "daabaea63cec655d2ec7ee148516e9b907e059f23a62907b7401b0f9ac910ee4",
                    "2c877f5f47ade6d6f673c0cebb3caac80ec56f58b62ab9a87ffcedae72a267fc"),
            Dialect.MYSQL,
            List.of(
                    "24684581077c3fa1852086d3366e8c58fd4b496fe929510a741c0d3130bc410e",
                    "9f128d5b12e21743cdff96801e18c57fb22004dcb293eb5c9894f11c4c20cfe5",
                    "f3293ad329f5260410334acfe64d86730c31a3eec8e211ef00514be421ea3f9b",
                    "e8f1f719cdacf274f0e701e00466d68b8afc41ab3b2e764474f364d788cfe029",
                    "eb52f5fe87ad80fd50d77ddcb1250935dfada703a4f97743bcb18d5cc25ef1cf",
                    "7b3889b80709c4f36ea795e946deeae97863a805b890812f3d2849652cbf1e3d",
                    "2c877f5f47ade6d6f673c0cebb3caac80ec56f58b62ab9a87ffcedae72a267fc"),
            Dialect.H2,
            List.of(
                    "89b4a3cdf216d578ddefb9c27198a6deaa289707d58be8d628e3b14926a6b500",
                    "95231e67ae399f8ecc90dcfd71b26c41e226ffb82e99e9ee878ed29f63a17137",
                    "f1061bdc906ee96c03f16e8947bc5b56ae100b20cd4e4b18d0ac7ba156fd9956",
                    "18850a8b7eda4b1d45cf6b3792f0bbdbe552bc6a2226489bd20ca075c79e1eb1",
                    "e26c5bef7aff52e72c965d198b188a23dc1617c09e6ea6a655ab97057d4f9277",
                    "d6567cd52df6e4e1df4149dfbd4110e3c0935a7fd9c933822622086ae10ca881",
                    "e6cfd8570d0618a5581ae18c55a7fbaa56ae600ebc2360bcc8aeee7fe8f0404b"));

    @ParameterizedTest
    @EnumSource
    void missingTablesAreNamedWithTheRemedy(Kind kind) {
        try (Fixture fixture = Fixture.withoutTables(Kinds.require(kind), ISOLATION)) {
            assertThatThrownBy(OutboxSchema.of(fixture.pool())::validate)
                    .isInstanceOf(OutboxException.class)
                    .hasMessageContaining("missing")
                    .hasMessageContaining("OutboxSchema.migrate()")
                    .hasMessageContaining("OutboxSchema.print()");
        }
    }

    @ParameterizedTest
    @EnumSource
    void migratedTablesAreValidAndMayBeMigratedAgain(Kind kind) {
        try (Fixture fixture = Fixture.withoutTables(Kinds.require(kind), ISOLATION)) {
            OutboxSchema schema = OutboxSchema.of(fixture.pool());

            schema.migrate();
            schema.migrate();

            assertThatCode(schema::validate).doesNotThrowAnyException();
            assertThatThrownBy(schema::create)
                    .isInstanceOf(OutboxException.class)
                    .hasMessageContaining("already");
        }
    }

    @ParameterizedTest
    @EnumSource
    void tablesOfAnotherVersionAreRefused(Kind kind) {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            OutboxSchema schema = OutboxSchema.of(fixture.pool());

            fixture.execute("delete from outbox_schema_version where version > 1");
            assertThatThrownBy(schema::validate)
                    .isInstanceOf(OutboxException.class)
                    .hasMessageContaining("version 1 but this library needs 7")
                    .hasMessageContaining("OutboxSchema.migrate()");

            fixture.execute("update outbox_schema_version set version = 99");
            assertThatThrownBy(schema::validate)
                    .isInstanceOf(OutboxException.class)
                    .hasMessageContaining("upgrade the library");
            assertThatThrownBy(schema::migrate).hasMessageContaining("upgrade the library");
        }
    }

    @ParameterizedTest
    @EnumSource
    void tablesOfTheFirstVersionAreBroughtToTheLatest(Kind kind) {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            OutboxSchema schema = OutboxSchema.of(fixture.pool());
            for (String table : List.of("attempt", "audit", "archive", "bulk", "bulk_row", "gate", "control")) {
                fixture.execute("drop table outbox_" + table);
            }
            fixture.execute(
                    "delete from outbox_schema_version where version > 1",
                    "alter table outbox_schema_version drop column checksum");

            schema.migrate();

            assertThatCode(schema::validate).doesNotThrowAnyException();
            assertThatCode(() -> fixture.execute("delete from outbox_bulk_row")).doesNotThrowAnyException();
        }
    }

    @ParameterizedTest
    @EnumSource
    void tablesMadeByAnotherFileOfTheSameVersionAreRefused(Kind kind) {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            OutboxSchema schema = OutboxSchema.of(fixture.pool());
            fixture.execute("update outbox_schema_version set checksum = 'another' where version = 1");

            assertThatThrownBy(schema::validate)
                    .isInstanceOf(OutboxException.class)
                    .hasMessageContaining("another V001__outbox.sql")
                    .hasMessageContaining("update outbox_schema_version set checksum = null where version = 1")
                    .hasMessageContaining("OutboxSchema.migrate()");
            assertThatThrownBy(schema::migrate).hasMessageContaining("another V001__outbox.sql");
            assertThatThrownBy(() -> JdbcOutboxStore.builder(fixture.pool())
                            .build()
                            .appeared(Shards.ALL, TopicFilter.ALL, List.of(new SeqRange(0, 1))))
                    .hasMessageContaining("another V001__outbox.sql");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aMissingChecksumIsAcceptedAndFilledInByMigrate(Kind kind) throws SQLException {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            OutboxSchema schema = OutboxSchema.of(fixture.pool());
            fixture.execute("update outbox_schema_version set checksum = null");

            assertThatCode(schema::validate).doesNotThrowAnyException();
            schema.migrate();

            assertThat(fixture.number("select count(*) from outbox_schema_version where checksum is null"))
                    .isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL", "H2"})
    void aMigrationThatWasKilledAfterAddingTheColumnIsCompleted(Kind kind) {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            OutboxSchema schema = OutboxSchema.of(fixture.pool());
            fixture.execute("delete from outbox_schema_version where version = 3");

            schema.migrate();

            assertThatCode(schema::validate).doesNotThrowAnyException();
        }
    }

    @ParameterizedTest
    @EnumSource
    void theStateOfTheTablesIsToldAlsoWhereTheyDoNotFit(Kind kind) {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            OutboxSchema schema = OutboxSchema.of(fixture.pool());
            SchemaState fits = schema.state();
            fixture.execute("delete from outbox_schema_version where version > 1");
            SchemaState old = schema.state();
            SchemaState none =
                    OutboxSchema.of(fixture.pool(), TableNames.of("nobody_")).state();

            assertThat(fits.fits()).isTrue();
            assertThat(fits.tables())
                    .extracting(TableSize::name)
                    .contains("outbox_message", "outbox_control", "outbox_schema_version")
                    .hasSize(12);
            assertThat(old.version()).isEqualTo(1);
            assertThat(old.expected()).isEqualTo(fits.expected()).isGreaterThan(5);
            assertThat(old.fits()).isFalse();
            assertThat(none).isEqualTo(new SchemaState(null, fits.expected(), List.of()));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_15", "POSTGRES_18", "MARIADB", "MYSQL"})
    void theSizeOfATableIsEstimatedByTheDatabase(Kind kind) {
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            fixture.enqueue(500);
            fixture.execute(
                    kind.name().startsWith("POSTGRES") ? "analyze outbox_message" : "analyze table outbox_message");

            assertThat(OutboxSchema.of(fixture.pool()).state().tables())
                    .filteredOn(table -> table.name().equals("outbox_message"))
                    .singleElement()
                    .satisfies(table -> {
                        assertThat(table.rows()).isBetween(100L, 1_000L);
                        assertThat(table.bytes()).isGreaterThan(10_000);
                    });
        }
    }

    @ParameterizedTest
    @EnumSource
    void releasedMigrationsAreUnchanged(Dialect dialect) {
        assertThat(OutboxSchema.FILES.checksums(dialect))
                .as("released migrations never change: add a new file")
                .isEqualTo(RELEASED.get(dialect));
    }

    @ParameterizedTest
    @EnumSource
    void whatIsPrintedMakesTheTables(Kind kind) {
        try (Fixture fixture = Fixture.withoutTables(Kinds.require(kind), ISOLATION)) {
            OutboxSchema schema = OutboxSchema.of(fixture.pool());

            String printed = schema.print();
            fixture.execute(SchemaFiles.statements(printed).toArray(String[]::new));

            assertThat(printed).contains("outbox_message").doesNotContain("{message", "{prefix");
            assertThatCode(schema::validate).doesNotThrowAnyException();
        }
    }

    @ParameterizedTest
    @EnumSource
    void anyNumberOfProcessesMayMigrateAtTheSameTime(Kind kind) throws Exception {
        int processes = 8;
        CyclicBarrier start = new CyclicBarrier(processes);
        ExecutorService executor = Executors.newFixedThreadPool(processes);
        try (Fixture fixture = Fixture.withoutTables(Kinds.require(kind), ISOLATION)) {
            List<Future<?>> migrations = new ArrayList<>();
            for (int i = 0; i < processes; i++) {
                migrations.add(executor.submit(() -> {
                    start.await();
                    OutboxSchema.of(fixture.pool()).migrate();
                    return "done";
                }));
            }
            for (Future<?> migration : migrations) {
                migration.get(60, TimeUnit.SECONDS);
            }

            assertThatCode(OutboxSchema.of(fixture.pool())::validate).doesNotThrowAnyException();
        } finally {
            executor.shutdownNow();
        }
    }

    @ParameterizedTest
    @EnumSource
    void twoOutboxesLiveInOneDatabaseUnderDifferentNames(Kind kind) throws SQLException {
        TableNames names = TableNames.defaults().withPrefix("billing_Outbox_");
        try (Fixture fixture = Fixture.create(Kinds.require(kind))) {
            OutboxSchema.of(fixture.pool(), names).create();
            OutboxMessage message = OutboxMessage.to("invoices", "Sent").build();

            try (Connection connection = fixture.pool().getConnection()) {
                connection.setAutoCommit(false);
                JdbcOutbox.builder().tables(names).build().enqueue(connection, message);
                connection.commit();
            }

            assertThat(JdbcOutboxAdmin.of(fixture.pool(), names).find(message.id()))
                    .isPresent();
            assertThat(JdbcOutboxAdmin.of(fixture.pool()).find(message.id())).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"POSTGRES_15", "POSTGRES_18", "H2"})
    void theTablesMayLiveInASchemaOfTheirOwn(Kind kind) {
        TableNames names = TableNames.defaults().withSchema("messaging");
        try (Fixture fixture = Fixture.withoutTables(Kinds.require(kind), ISOLATION)) {
            fixture.execute("create schema messaging");
            OutboxSchema schema = OutboxSchema.of(fixture.pool(), names);

            schema.migrate();

            assertThatCode(schema::validate).doesNotThrowAnyException();
            assertThatThrownBy(OutboxSchema.of(fixture.pool())::validate).hasMessageContaining("missing");
        }
    }

    @Test
    void aDatabaseThatTakesNoWritesIsRefused() {
        try (Fixture fixture = Fixture.create(Kinds.require(Kind.POSTGRES_18))) {
            fixture.execute("alter database " + fixture.database().name() + " set default_transaction_read_only = on");

            assertThatThrownBy(OutboxSchema.of(fixture.database().dataSource())::validate)
                    .isInstanceOf(OutboxException.class)
                    .hasMessageContaining("primary");
        }
    }
}
