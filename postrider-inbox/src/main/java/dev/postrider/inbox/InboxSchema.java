package dev.postrider.inbox;

import dev.postrider.database.SchemaFiles;
import dev.postrider.database.TableNames;
import dev.postrider.database.VersionedSchema;
import java.util.List;
import javax.sql.DataSource;

/**
 * The tables of the inbox: made, brought up to date, checked, or printed for somebody who does it by hand. A schema
 * that is named must exist already. Thread-safe.
 */
public final class InboxSchema extends VersionedSchema {

    static final SchemaFiles FILES = new SchemaFiles(
            "inbox",
            InboxSchema.class,
            "/META-INF/postrider/inbox",
            List.of("V001__inbox.sql", "V002__checksums.sql", "V003__own_marks.sql", "V004__namespaces.sql"));

    static final TableNames NAMES = TableNames.of("inbox_");

    private InboxSchema(DataSource dataSource, TableNames names) {
        super(dataSource, names, FILES);
    }

    /** Returns the schema with the default names, {@code inbox_message} and its companions. */
    public static InboxSchema of(DataSource dataSource) {
        return new InboxSchema(dataSource, NAMES);
    }

    /** Returns the schema with these names. */
    public static InboxSchema of(DataSource dataSource, TableNames names) {
        return new InboxSchema(dataSource, names);
    }
}
