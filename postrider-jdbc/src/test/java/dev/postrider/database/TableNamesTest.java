package dev.postrider.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("S9")
final class TableNamesTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "outbox_; drop table users; --",
                "outbox'",
                "outbox\"",
                "`outbox`",
                "public.outbox_",
                "1outbox",
                "out box",
                "outbox-",
                "outbox\n",
                "outbox\u0000",
                "öutbox",
                "outbox_message) select 1 --",
                "{message}",
                "$1",
                "a23456789012345678901234567890123"
            })
    void aHostileNameIsRefusedAndNamed(String name) {
        assertThatThrownBy(() -> TableNames.defaults().withPrefix(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("prefix")
                .hasMessageContaining(name);
        assertThatThrownBy(() -> TableNames.defaults().withSchema(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("schema");
    }

    @Test
    void namesReplacePlaceholdersAndNothingElse() {
        TableNames names = new TableNames("app", "ob_");

        assertThat(names.in("select '{other}' from {message}, {shard} where {prefix} = ?"))
                .isEqualTo("select '{other}' from app.ob_message, app.ob_shard where ob_ = ?");
        assertThat(TableNames.defaults().in("{message} {schema_version}"))
                .isEqualTo("outbox_message outbox_schema_version");
    }
}
