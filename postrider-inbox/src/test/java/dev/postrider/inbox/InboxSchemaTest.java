package dev.postrider.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.OutboxException;
import dev.postrider.database.SchemaFiles;
import dev.postrider.database.TableNames;
import dev.postrider.services.Database.Kind;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class InboxSchemaTest {

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
