package dev.postrider.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.OutboxException;
import dev.postrider.database.TableNames;
import dev.postrider.services.Database.Kind;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The tables are made once, under any name, and say what to do when they are missing. */
@Tag("R0.1")
final class SagaSchemaTest {

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
