package dev.postrider.database;

import dev.postrider.OutboxException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;

/** Whether the tables fit this library, and what to do if not. */
record SchemaCheck(SchemaFiles files, TableNames names) {

    static final int MISSING = -1;
    static final String READ_ONLY = "The database takes no writes, as a standby does not: connect to the primary";

    private static final String VERSION = "select max(version) from {schema_version}";

    /** Refuses tables that are missing, too old or too new. */
    void requireFit(Connection connection) throws SQLException {
        int version = version(connection);
        if (version == MISSING) {
            throw new OutboxException(missing());
        }
        refuseNewer(version);
        if (version < files.latest()) {
            throw new OutboxException("%s have version %d but this library needs %d: %s"
                    .formatted(tables(), version, files.latest(), remedy()));
        }
    }

    void refuseNewer(int version) {
        if (version > files.latest()) {
            throw new OutboxException("%s have version %d but this library knows only %d: upgrade the library"
                    .formatted(tables(), version, files.latest()));
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
        return new OutboxException(SqlErrors.readOnly(cause) ? what + ". " + READ_ONLY : what, cause);
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
