package dev.postrider.jdbc;

import dev.postrider.OutboxException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tables of the outbox: made, brought up to date, checked, or printed for somebody who does it by hand. A schema
 * that is named must exist already. Thread-safe.
 */
public final class OutboxSchema {

    private static final Logger log = LoggerFactory.getLogger(OutboxSchema.class);
    private final DataSource dataSource;
    private final TableNames names;

    private OutboxSchema(DataSource dataSource, TableNames names) {
        this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
        this.names = Objects.requireNonNull(names, "names");
    }

    /** Returns the schema with the default names. */
    public static OutboxSchema of(DataSource dataSource) {
        return new OutboxSchema(dataSource, TableNames.defaults());
    }

    /** Returns the schema with these names. */
    public static OutboxSchema of(DataSource dataSource, TableNames names) {
        return new OutboxSchema(dataSource, names);
    }

    /**
     * Makes the tables.
     *
     * @throws OutboxException if they are there already
     */
    public void create() {
        change("create the outbox tables", connection -> {
            if (SchemaCheck.version(connection, names) != SchemaCheck.MISSING) {
                throw new OutboxException(
                        "Could not create the outbox tables '%s': they are there already; run".formatted(names.label())
                                + " OutboxSchema.migrate() to bring them up to date");
            }
            apply(connection, 0);
        });
    }

    /**
     * Makes the tables, or brings them up to date. Does nothing if they are; any number of processes may do it at the
     * same time.
     */
    public void migrate() {
        change("migrate the outbox tables", connection -> {
            int version = SchemaCheck.version(connection, names);
            SchemaCheck.refuseNewer(version, names);
            apply(connection, Math.max(version, 0));
        });
    }

    /**
     * Checks that the tables are there, fit this library, and can be written.
     *
     * @throws OutboxException saying what to do
     */
    public void validate() {
        try (Connection connection = dataSource.getConnection()) {
            if (Dialects.of(connection).readOnly(connection)) {
                throw new OutboxException(SchemaCheck.READ_ONLY);
            }
            SchemaCheck.requireFit(connection, names);
        } catch (SQLException e) {
            throw new OutboxException("Could not validate the outbox tables", e);
        }
    }

    /** Returns the SQL that makes the tables from nothing, for this database. */
    public String print() {
        try (Connection connection = dataSource.getConnection()) {
            return String.join("\n", SchemaFiles.texts(Dialects.of(connection), 0, names));
        } catch (SQLException e) {
            throw new OutboxException("Could not print the outbox tables", e);
        }
    }

    private void change(String what, Change change) {
        try (Connection connection = dataSource.getConnection()) {
            Dialect dialect = Dialects.of(connection);
            Borrowed borrowed = Borrowed.transacted(connection, false, dialect);
            try {
                locked(connection, dialect, change);
            } catch (SQLException | RuntimeException | Error e) {
                borrowed.undo(e);
                throw e;
            }
            borrowed.restore();
        } catch (SQLException e) {
            throw new OutboxException("Could not " + what, e);
        }
    }

    private void locked(Connection connection, Dialect dialect, Change change) throws SQLException {
        dialect.lockSchema(connection, names);
        try {
            change.run(connection);
            connection.commit();
        } finally {
            dialect.unlockSchema(connection, names);
        }
    }

    private void apply(Connection connection, int version) throws SQLException {
        List<String> texts = SchemaFiles.texts(Dialects.of(connection), version, names);
        try (Statement statement = connection.createStatement()) {
            for (String text : texts) {
                for (String sql : SchemaFiles.statements(text)) {
                    statement.execute(sql);
                }
            }
        }
        if (!texts.isEmpty()) {
            log.info("The outbox tables '{}' have version {}", names.label(), SchemaFiles.LATEST);
        }
    }

    @FunctionalInterface
    private interface Change {

        void run(Connection connection) throws SQLException;
    }
}
