package dev.postrider.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.OutboxException;
import dev.postrider.OutboxMessage;
import dev.postrider.database.SchemaFiles;
import dev.postrider.database.TableNames;
import dev.postrider.services.Database.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
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
                    .hasMessageContaining("version 1 but this library needs 2")
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
            for (String table : List.of("attempt", "audit", "archive", "bulk", "bulk_row")) {
                fixture.execute("drop table outbox_" + table);
            }
            fixture.execute("delete from outbox_schema_version where version > 1");

            schema.migrate();

            assertThatCode(schema::validate).doesNotThrowAnyException();
            assertThatCode(() -> fixture.execute("delete from outbox_bulk_row")).doesNotThrowAnyException();
        }
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
