package dev.postrider.database;

import dev.postrider.OutboxException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.List;

/** Whether the tables fit this library, and what to do if not. */
record SchemaCheck(SchemaFiles files, TableNames names) {

    static final int MISSING = -1;
    static final String DENIED = "The database user lacks a privilege, see 'Least privilege' on the page operations";
    static final String READ_ONLY = "The database takes no writes, as a standby does not: connect to the primary";

    // Tables made before checksums were recorded have no such column, hence the star.
    private static final String APPLIED = "select * from {schema_version}";
    private static final String CHECKSUM = "checksum";
    private static final String UNRECORDED = "select version from {schema_version} where checksum is null";
    private static final String RECORD = "update {schema_version} set checksum = ? where version = ?";
    private static final String VERSION = "select max(version) from {schema_version}";

    /** Refuses tables that are missing, too old, too new, or made by other files. */
    void requireFit(Connection connection) throws SQLException {
        ServerCheck.requireFit(connection);
        int version = version(connection);
        if (version == MISSING) {
            throw new SchemaVersionException(missing(), version, files.latest());
        }
        refuseNewer(version);
        if (version < files.latest()) {
            throw new SchemaVersionException(
                    "%s have version %d but this library needs %d: %s"
                            .formatted(tables(), version, files.latest(), remedy()),
                    version,
                    files.latest());
        }
        refuseOtherFiles(connection);
    }

    /** Refuses tables that another file of the same version made. A version without a checksum passes. */
    void refuseOtherFiles(Connection connection) throws SQLException {
        List<String> expected = files.checksums(Dialect.of(connection));
        try (PreparedStatement statement = connection.prepareStatement(names.in(APPLIED));
                ResultSet rows = statement.executeQuery()) {
            boolean recorded = hasChecksums(rows.getMetaData());
            while (recorded && rows.next()) {
                int version = rows.getInt("version");
                String checksum = rows.getString(CHECKSUM);
                if (checksum != null && !checksum.equals(expected.get(version - 1))) {
                    throw new OutboxException(madeByOther(version));
                }
            }
        }
    }

    private static boolean hasChecksums(ResultSetMetaData columns) throws SQLException {
        for (int i = 1; i <= columns.getColumnCount(); i++) {
            if (columns.getColumnName(i).equalsIgnoreCase(CHECKSUM)) {
                return true;
            }
        }
        return false;
    }

    /** Records the checksum of every applied file that has none yet. */
    void recordChecksums(Connection connection) throws SQLException {
        List<String> checksums = files.checksums(Dialect.of(connection));
        try (PreparedStatement query = connection.prepareStatement(names.in(UNRECORDED));
                ResultSet rows = query.executeQuery();
                PreparedStatement update = connection.prepareStatement(names.in(RECORD))) {
            while (rows.next()) {
                int version = rows.getInt(1);
                update.setString(1, checksums.get(version - 1));
                update.setInt(2, version);
                update.executeUpdate();
            }
        }
    }

    void refuseNewer(int version) {
        if (version > files.latest()) {
            throw new SchemaVersionException(
                    "%s have version %d but this library knows only %d: upgrade the library"
                            .formatted(tables(), version, files.latest()),
                    version,
                    files.latest());
        }
    }

    // A failed query would end PostgreSQL's transaction, hence the savepoint.
    int version(Connection connection) throws SQLException {
        boolean transacted = !connection.getAutoCommit();
        Savepoint savepoint = transacted ? connection.setSavepoint() : null;
        try (PreparedStatement statement = connection.prepareStatement(names.in(VERSION));
                ResultSet row = statement.executeQuery()) {
            return row.next() ? row.getInt(1) : 0;
        } catch (SQLException e) {
            if (!SqlErrors.missingTable(e)) {
                throw e;
            }
            if (savepoint != null) {
                connection.rollback(savepoint);
            }
            return MISSING;
        }
    }

    OutboxException explained(String what, SQLException cause) {
        if (SqlErrors.missingTable(cause)) {
            return new OutboxException(what + ". " + missing(), cause);
        }
        if (SqlErrors.denied(cause)) {
            return new OutboxException("%s. %s: %s".formatted(what, DENIED, cause.getMessage()), cause);
        }
        return new OutboxException(SqlErrors.readOnly(cause) ? what + ". " + READ_ONLY : what, cause);
    }

    private String madeByOther(int version) {
        return names.in("%s were made by another %s than this library's: use the library that made them, or make them"
                        .formatted(tables(), files.files().get(version - 1))
                + " anew. If they are known to be equal, run 'update {schema_version} set checksum = null where"
                + " version = %d' and then %s.migrate()"
                        .formatted(version, files.api().getSimpleName()));
    }

    private String missing() {
        return "%s are missing: %s".formatted(tables(), remedy());
    }

    private String tables() {
        return "The %s tables '%s'".formatted(files.subject(), names.label());
    }

    private String remedy() {
        return "run %1$s.migrate() or apply the SQL that %1$s.print() gives"
                .formatted(files.api().getSimpleName());
    }
}
