package dev.postrider.jdbc;

import dev.postrider.OutboxException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;

/** Whether the tables fit this library, and what to do if not. */
final class SchemaCheck {

    static final int MISSING = -1;
    static final String READ_ONLY = "The database takes no writes, as a standby does not: connect to the primary";

    private static final String VERSION = "select max(version) from {schema_version}";
    private static final String REMEDY = "run OutboxSchema.migrate() or apply the SQL that OutboxSchema.print() gives";

    private SchemaCheck() {}

    /** Refuses tables that are missing, too old or too new. */
    static void requireFit(Connection connection, TableNames names) throws SQLException {
        int version = version(connection, names);
        if (version == MISSING) {
            throw new OutboxException(missing(names));
        }
        refuseNewer(version, names);
        if (version < SchemaFiles.LATEST) {
            throw new OutboxException("The outbox tables '%s' have version %d but this library needs %d: %s"
                    .formatted(names.label(), version, SchemaFiles.LATEST, REMEDY));
        }
    }

    static void refuseNewer(int version, TableNames names) {
        if (version > SchemaFiles.LATEST) {
            throw new OutboxException(
                    "The outbox tables '%s' have version %d but this library knows only %d: upgrade the library"
                            .formatted(names.label(), version, SchemaFiles.LATEST));
        }
    }

    // A failed query would end PostgreSQL's transaction, hence the savepoint.
    static int version(Connection connection, TableNames names) throws SQLException {
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

    /** Returns the error to throw, with what to do about it where that is known. */
    static OutboxException explained(String what, SQLException cause, TableNames names) {
        if (SqlErrors.missingTable(cause)) {
            return new OutboxException(what + ". " + missing(names), cause);
        }
        return new OutboxException(SqlErrors.readOnly(cause) ? what + ". " + READ_ONLY : what, cause);
    }

    private static String missing(TableNames names) {
        return "The outbox tables '%s' are missing: %s".formatted(names.label(), REMEDY);
    }
}
