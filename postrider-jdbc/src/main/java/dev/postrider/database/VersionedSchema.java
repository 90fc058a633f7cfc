package dev.postrider.database;

import dev.postrider.OutboxException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tables with a version: made, brought up to date, checked, or printed for somebody who does it by hand. A schema that
 * is named must exist already. Thread-safe.
 */
public abstract class VersionedSchema {

    private static final Logger log = LoggerFactory.getLogger(VersionedSchema.class);

    private final DataSource dataSource;
    private final TableNames names;
    private final SchemaFiles files;
    private final SchemaCheck check;

    /** Takes the files and what their tables are called; nothing is sent to the database yet. */
    protected VersionedSchema(DataSource dataSource, TableNames names, SchemaFiles files) {
        this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
        this.names = Objects.requireNonNull(names, "names");
        this.files = files;
        this.check = new SchemaCheck(files, names);
    }

    /**
     * Makes the tables.
     *
     * @throws OutboxException if they are there already
     */
    public final void create() {
        change("create", connection -> {
            if (check.version(connection) != SchemaCheck.MISSING) {
                throw new OutboxException("Could not create the %s tables '%s': they are there already; run"
                                .formatted(files.subject(), names.label())
                        + " %s.migrate() to bring them up to date"
                                .formatted(files.api().getSimpleName()));
            }
            apply(connection, 0);
        });
    }

    /**
     * Makes the tables, or brings them up to date. Does nothing if they are; any number of processes may do it at the
     * same time.
     */
    public final void migrate() {
        change("migrate", connection -> {
            int version = check.version(connection);
            check.refuseNewer(version);
            if (version != SchemaCheck.MISSING) {
                check.refuseOtherFiles(connection);
            }
            apply(connection, Math.max(version, 0));
        });
    }

    /**
     * Checks that the tables are there, fit this library, and can be written.
     *
     * @throws OutboxException saying what to do
     */
    public final void validate() {
        try (Connection connection = dataSource.getConnection()) {
            if (Dialect.of(connection).readOnly(connection)) {
                throw new OutboxException(SchemaCheck.READ_ONLY);
            }
            check.requireFit(connection);
        } catch (SQLException e) {
            throw failed("validate", e);
        }
    }

    /** Tells which version the tables have and how large they are, without judging it. */
    public final SchemaState state() {
        try (Connection connection = dataSource.getConnection()) {
            int version = check.version(connection);
            if (version == SchemaCheck.MISSING) {
                return new SchemaState(null, files.latest(), List.of());
            }
            Dialect dialect = Dialect.of(connection);
            List<TableSize> sizes = new ArrayList<>();
            try (PreparedStatement statement = connection.prepareStatement(dialect.tableSize())) {
                for (String table : files.tables(dialect)) {
                    size(statement, names.prefix() + table).ifPresent(sizes::add);
                }
            }
            return new SchemaState(version, files.latest(), sizes);
        } catch (SQLException e) {
            throw failed("look at", e);
        }
    }

    private Optional<TableSize> size(PreparedStatement statement, String table) throws SQLException {
        statement.setString(1, names.schema());
        statement.setString(2, table);
        try (ResultSet row = statement.executeQuery()) {
            return row.next() ? Optional.of(new TableSize(table, number(row, 1), number(row, 2))) : Optional.empty();
        }
    }

    private static @Nullable Long number(ResultSet row, int column) throws SQLException {
        long number = row.getLong(column);
        return row.wasNull() || number < 0 ? null : number;
    }

    /** Returns the SQL that makes the tables from nothing, for this database. */
    public final String print() {
        try (Connection connection = dataSource.getConnection()) {
            return String.join("\n", files.texts(Dialect.of(connection), 0, names));
        } catch (SQLException e) {
            throw failed("print", e);
        }
    }

    private void change(String verb, Change change) {
        try (Connection connection = dataSource.getConnection()) {
            Dialect dialect = Dialect.of(connection);
            Borrowed borrowed = Borrowed.transacted(connection, false, dialect);
            try {
                locked(connection, dialect, change);
            } catch (SQLException | RuntimeException | Error e) {
                borrowed.undo(e);
                throw e;
            }
            borrowed.restore();
        } catch (SQLException e) {
            throw failed(verb, e);
        }
    }

    private void locked(Connection connection, Dialect dialect, Change change) throws SQLException {
        ServerCheck.requireFit(connection);
        dialect.lockSchema(connection, names);
        try {
            change.run(connection);
            connection.commit();
        } finally {
            dialect.unlockSchema(connection, names);
        }
    }

    private void apply(Connection connection, int version) throws SQLException {
        List<String> texts = files.texts(Dialect.of(connection), version, names);
        try (Statement statement = connection.createStatement()) {
            for (String text : texts) {
                for (String sql : SchemaFiles.statements(text)) {
                    execute(statement, sql);
                }
            }
        }
        check.recordChecksums(connection);
        if (!texts.isEmpty()) {
            log.info("The {} tables '{}' have version {}", files.subject(), names.label(), files.latest());
        }
    }

    // MariaDB and MySQL commit each statement: a migration that was killed half-way is repeated, and MySQL cannot add a
    // column only if it does not exist.
    private static void execute(Statement statement, String sql) throws SQLException {
        try {
            statement.execute(sql);
        } catch (SQLException e) {
            if (!SqlErrors.columnExists(e)) {
                throw e;
            }
        }
    }

    private OutboxException failed(String verb, SQLException cause) {
        return new OutboxException("Could not %s the %s tables".formatted(verb, files.subject()), cause);
    }

    @FunctionalInterface
    private interface Change {

        void run(Connection connection) throws SQLException;
    }
}
