package dev.postrider.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.OutboxException;
import dev.postrider.database.Dialect;
import dev.postrider.database.SchemaFiles;
import dev.postrider.database.TableNames;
import dev.postrider.database.VersionedSchema;
import dev.postrider.services.Database.Kind;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class InboxSchemaTest {

    // The SHA-256 of every migration file, in the order of the versions. Append only.
    private static final Map<Dialect, List<String>> RELEASED = Map.of(
            Dialect.POSTGRESQL,
            List.of(
                    "caf00484a4687298b608f777cfdb150968e8b20dd51c20fa11179d6fb3b98206",
                    "78c890b4a8423430373f0d4c2727bf3b0b21617cf3f77402c7a94726cb609e92",
                    "2e313851a3633a10382664406fd98624b8ad705e9d1c7262571d77b86c3f7f11",
                    "64a3e0b55039d81f684ef1821ca183cbb7d4d17545f8489f38325180468b0dbd"),
            Dialect.MARIADB,
            List.of(
                    "cc3cc2508102cc20aca5698d0b78ed6c6c1c524a18f5d354c168c8c7870df970",
                    "f25e7c77ee976c8c23d44225f9fadb26bab504b164fd1a3238739987c8c586e6",
                    "7177a50eb579d96d78f234e7d94a082285bf75b6e316514f8301ef0f7fa9fe58",
                    "236380c38de335ae45b78ac0334a794d956a1acf9238212cfd56af0e55db4433"),
            Dialect.MYSQL,
            List.of(
                    "e29ffca0d697ad3bf0f8207ff9f05e1e0a7323a89e961d2b74fa74542624919f",
                    "f25e7c77ee976c8c23d44225f9fadb26bab504b164fd1a3238739987c8c586e6",
                    "2e313851a3633a10382664406fd98624b8ad705e9d1c7262571d77b86c3f7f11",
                    "236380c38de335ae45b78ac0334a794d956a1acf9238212cfd56af0e55db4433"),
            Dialect.H2,
            List.of(
                    "a359085ac37d0d2661e6af10c2a37666252d9874ddf99379f6a79f00ff2241ed",
                    "ec6b227cd7ade7bedcfb6df4677593ae30d3a093c63418fb6d8b196819ab4a4e",
                    "7177a50eb579d96d78f234e7d94a082285bf75b6e316514f8301ef0f7fa9fe58",
                    "fb88d3edc5d414aaee9e021656cb981abaade2fcf96dd87ac2b5addae6f19d37"));

    @ParameterizedTest
    @EnumSource
    void releasedMigrationsAreUnchanged(Dialect dialect) {
        assertThat(InboxSchema.FILES.checksums(dialect))
                .as("released migrations never change: add a new file")
                .isEqualTo(RELEASED.get(dialect));
    }

    @ParameterizedTest
    @EnumSource
    void theTablesAreMadeOnceAndUnderAnyName(Kind kind) {
        TableNames other = TableNames.of("second_inbox_");
        try (Desk desk = Desk.open(kind)) {
            InboxSchema schema = InboxSchema.of(desk.pool());
            InboxSchema second = InboxSchema.of(desk.pool(), other);

            schema.migrate();
            assertThatCode(schema::validate).doesNotThrowAnyException();
            assertThatThrownBy(schema::create)
                    .isInstanceOf(OutboxException.class)
                    .hasMessageContaining("InboxSchema.migrate()");
            assertThatThrownBy(second::validate).hasMessageContaining("inbox tables 'second_inbox_' are missing");
            desk.execute(SchemaFiles.statements(second.print()).toArray(String[]::new));
            assertThatCode(second::validate).doesNotThrowAnyException();

            Inbox inbox = JdbcInbox.builder(desk.pool()).tables(other).build();
            inbox.process("m1", "billing", Desk.effect("m1"));
            assertThat(desk.count("second_inbox_message")).isEqualTo(1);
            assertThat(desk.marks()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void tablesOfTheVersionBeforeKeepTheirMessagesAndLearnTheirNamespaces(Kind kind) {
        TableNames names = TableNames.of("old_");
        SchemaFiles second = new SchemaFiles(
                "inbox",
                InboxSchema.class,
                InboxSchema.FILES.folder(),
                InboxSchema.FILES.files().subList(0, 2));
        try (Desk desk = Desk.open(kind)) {
            new VersionedSchema(desk.pool(), names, second).create();
            String now = "current_timestamp, current_timestamp";
            desk.execute(
                    "insert into old_position (consumer, topic, message_key, last_seq, updated_at)"
                            + " values ('billing', 'orders', 'a', 7, current_timestamp)",
                    "insert into old_failure (consumer, message_id, topic, message_key, state, reason, attempts,"
                            + " created_at, updated_at, headers) values"
                            + " ('billing', 'shop', 'orders', 'a', 'PARKED', 'FAILED', 1, " + now
                            + ", '{\"a\":\"b\",\"postrider-namespace\":\"shop\",\"z\":\"y\"}'),"
                            + " ('billing', 'none', 'orders', 'a', 'PARKED', 'FAILED', 1, " + now + ", null),"
                            + " ('billing', 'long', 'orders', 'a', 'PARKED', 'FAILED', 1, " + now
                            + ", '{\"postrider-namespace\":\"" + "n".repeat(101) + "\"}')");

            InboxSchema.of(desk.pool(), names).migrate();

            assertThat(desk.count("old_failure where message_id = 'shop' and namespace = 'shop'"))
                    .isEqualTo(1);
            assertThat(desk.count("old_failure where namespace = 'default'")).isEqualTo(2);
            assertThat(desk.count("old_position where namespace = 'default'")).isEqualTo(1);
            Inbox inbox = JdbcInbox.builder(desk.pool())
                    .tables(names)
                    .dedupe(Dedupe.SEQUENCE)
                    .build();
            ReceivedMessage other = ReceivedMessage.from("orders")
                    .id("m1")
                    .key("b")
                    .sequence(1L)
                    .build();
            assertThat(inbox.process(other, "billing", Desk.effect("m1"))).isInstanceOf(InboxResult.Processed.class);
            assertThat(inbox.process(other, "billing", Desk.effect("m1"))).isInstanceOf(InboxResult.Duplicate.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void missingTablesAreNamedWithTheRemedy(Kind kind) {
        try (Desk desk = Desk.open(kind)) {
            Inbox inbox = JdbcInbox.builder(desk.pool())
                    .tables(TableNames.of("absent_"))
                    .build();

            assertThatThrownBy(() -> inbox.process("m1", "billing", Desk.effect("m1")))
                    .isInstanceOf(InboxException.class)
                    .hasMessageContaining("InboxSchema.migrate()");
        }
    }
}
