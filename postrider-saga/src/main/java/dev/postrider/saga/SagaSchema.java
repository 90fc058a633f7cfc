package dev.postrider.saga;

import dev.postrider.database.SchemaFiles;
import dev.postrider.database.TableNames;
import dev.postrider.database.VersionedSchema;
import java.util.List;
import javax.sql.DataSource;

/**
 * The tables of sagas and of participants: made, brought up to date, checked, or printed for somebody who does it by
 * hand. A schema that is named must exist already. Thread-safe.
 */
public final class SagaSchema extends VersionedSchema {

    /** What the names of the tables begin with unless something else is said. */
    static final TableNames DEFAULT_NAMES = TableNames.of("saga_");

    static final SchemaFiles FILES = new SchemaFiles(
            "saga",
            SagaSchema.class,
            "/META-INF/postrider/saga",
            List.of("V001__saga.sql", "V002__checksums.sql", "V003__reported.sql"));

    private SagaSchema(DataSource dataSource, TableNames names) {
        super(dataSource, names, FILES);
    }

    /** Returns the schema with names that begin with {@code saga_}. */
    public static SagaSchema of(DataSource dataSource) {
        return new SagaSchema(dataSource, DEFAULT_NAMES);
    }

    /** Returns the schema with these names. */
    public static SagaSchema of(DataSource dataSource, TableNames names) {
        return new SagaSchema(dataSource, names);
    }
}
