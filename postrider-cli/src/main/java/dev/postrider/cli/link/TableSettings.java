package dev.postrider.cli.link;

import dev.postrider.all.Postrider;
import dev.postrider.all.PostriderBuilder;
import dev.postrider.cli.run.CliException;
import dev.postrider.cli.run.ExitCodes;
import dev.postrider.database.TableNames;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * What the tables of a database are called.
 *
 * @param schema the database schema; null for where the connection looks
 * @param outbox how the names of the outbox tables begin
 * @param inbox how the names of the inbox tables begin
 * @param saga how the names of the saga tables begin
 */
record TableSettings(@Nullable String schema, String outbox, String inbox, String saga) {

    static final List<String> NAMES = List.of("schema", "outbox-prefix", "inbox-prefix", "saga-prefix");

    static TableSettings of(Map<String, String> settings) {
        return new TableSettings(
                settings.get(NAMES.get(0)),
                settings.getOrDefault(NAMES.get(1), "outbox_"),
                settings.getOrDefault(NAMES.get(2), "inbox_"),
                settings.getOrDefault(NAMES.get(3), "saga_"));
    }

    TableSettings in(@Nullable String other) {
        return other == null ? this : new TableSettings(other, outbox, inbox, saga);
    }

    /** Returns a handle on these tables. */
    Postrider on(DataSource dataSource) {
        try {
            PostriderBuilder builder = Postrider.on(dataSource)
                    .outboxTables(TableNames.of(outbox))
                    .inboxTables(TableNames.of(inbox))
                    .sagaTables(TableNames.of(saga));
            return (schema == null ? builder : builder.schema(Objects.requireNonNull(schema))).build();
        } catch (IllegalArgumentException e) {
            throw new CliException(ExitCodes.USAGE, String.valueOf(e.getMessage()), e);
        }
    }
}
