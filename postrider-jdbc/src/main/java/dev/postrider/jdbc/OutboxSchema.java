package dev.postrider.jdbc;

import dev.postrider.database.SchemaFiles;
import dev.postrider.database.TableNames;
import dev.postrider.database.VersionedSchema;
import java.util.List;
import javax.sql.DataSource;

/**
 * The tables of the outbox: made, brought up to date, checked, or printed for somebody who does it by hand. A schema
 * that is named must exist already. Thread-safe.
 */
public final class OutboxSchema extends VersionedSchema {

    static final SchemaFiles FILES = new SchemaFiles(
            "outbox",
            OutboxSchema.class,
            "/META-INF/postrider/schema",
            List.of(
                    "V001__outbox.sql",
                    "V002__operations.sql",
                    "V003__checksums.sql",
                    "V004__gates.sql",
                    "V005__journal.sql",
                    "V006__control.sql",
                    "V007__enqueue.sql"));

    private OutboxSchema(DataSource dataSource, TableNames names) {
        super(dataSource, names, FILES);
    }

    /** Returns the schema with the default names. */
    public static OutboxSchema of(DataSource dataSource) {
        return new OutboxSchema(dataSource, TableNames.defaults());
    }

    /** Returns the schema with these names. */
    public static OutboxSchema of(DataSource dataSource, TableNames names) {
        return new OutboxSchema(dataSource, names);
    }
}
