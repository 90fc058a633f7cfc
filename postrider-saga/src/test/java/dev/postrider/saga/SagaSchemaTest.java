package dev.postrider.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.OutboxException;
import dev.postrider.database.Dialect;
import dev.postrider.database.TableNames;
import dev.postrider.services.Database.Kind;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The tables are made once, under any name, and say what to do when they are missing. */
@Tag("R0.1")
final class SagaSchemaTest {

    // The SHA-256 of every migration file, in the order of the versions. Append only.
    private static final Map<Dialect, List<String>> RELEASED = Map.of(
            Dialect.POSTGRESQL,
            List.of(
                    "5b734c6459b8fb7bcdd9c993ea9f2997d69c3a4e29ba36975a49581c7a20e2e9",
                    "78c890b4a8423430373f0d4c2727bf3b0b21617cf3f77402c7a94726cb609e92",
                    "4075e78627d6997bbacfc4ce89f41566af382bc0236c63e8ecdc865059d43ab2"),
            Dialect.MARIADB,
            List.of(
                    "070d92f752388035fcde31c2a7ee4ba4c84585cdc42a52c89eaf81ed3616cbd3",
                    "f25e7c77ee976c8c23d44225f9fadb26bab504b164fd1a3238739987c8c586e6",
                    "ea59acab831bded22d1899c60b558a9707bf1460b84b20b5a49747c39790b654"),
            Dialect.MYSQL,
            List.of(
                    "45a6e497f08fc71289a6fd3009d5454119bc60148003f8a4a7bee51bdf80aa62",
                    "f25e7c77ee976c8c23d44225f9fadb26bab504b164fd1a3238739987c8c586e6",
                    "4075e78627d6997bbacfc4ce89f41566af382bc0236c63e8ecdc865059d43ab2"),
            Dialect.H2,
            List.of(
                    "c85379c308dc4992a27b4cbb03b299ec7b32c4e2b3e270079bbccdee1c37054e",
                    "ec6b227cd7ade7bedcfb6df4677593ae30d3a093c63418fb6d8b196819ab4a4e",
                    "4075e78627d6997bbacfc4ce89f41566af382bc0236c63e8ecdc865059d43ab2"));

    @ParameterizedTest
    @EnumSource
    void releasedMigrationsAreUnchanged(Dialect dialect) {
        assertThat(SagaSchema.FILES.checksums(dialect))
                .as("released migrations never change: add a new file")
                .isEqualTo(RELEASED.get(dialect));
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void theTablesAreMadeOnceAndUnderAnyName(Kind kind) {
        try (SagaFixture fixture = SagaFixture.create(kind)) {
            TableNames other = TableNames.of("my_");
            SagaSchema schema = SagaSchema.of(fixture.pool(), other);
            SagaStore store = new SagaStore(fixture.pool(), other);

            assertThatThrownBy(schema::validate)
                    .isInstanceOf(OutboxException.class)
                    .hasMessageContaining("SagaSchema.migrate()");
            assertThatThrownBy(() -> store.find(SagaFixture.nextId()))
                    .isInstanceOf(OutboxException.class)
                    .hasMessageContaining("SagaSchema.migrate()");
            schema.create();
            schema.validate();
            schema.migrate();
            assertThatThrownBy(schema::create).isInstanceOf(OutboxException.class);
            SagaSchema.of(fixture.pool()).validate();

            UUID id = SagaFixture.start(store);
            assertThat(store.find(id)).isPresent();
            assertThat(fixture.store().find(id)).isEmpty();
            assertThat(fixture.count("my_instance")).isEqualTo(1);
            assertThat(schema.print()).contains("my_participant").doesNotContain("{");
        }
    }
}
