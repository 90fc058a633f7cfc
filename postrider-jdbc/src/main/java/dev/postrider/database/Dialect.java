package dev.postrider.database;

import dev.postrider.OutboxException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which database this is, and what differs from the others. Statements name its expressions by placeholders:
 * {@code {now}} is the database's clock, {@code {later}} the clock plus a parameter in microseconds, {@code {at}} a
 * time given in microseconds since 1970, {@code {infinity}} a time that never comes.
 */
public enum Dialect {
    /** PostgreSQL 15 and later. */
    POSTGRESQL(new PostgresDialectTraits()),
    /** MariaDB 10.6 and later. */
    MARIADB(new MySqlDialectTraits("mariadb", "idle_transaction_timeout")),
    /** MySQL 8.0 and later. */
    MYSQL(new MySqlDialectTraits("mysql", "wait_timeout")),
    /** H2, for trying out and for tests. */
    H2(new H2DialectTraits());

    @SuppressWarnings("ImmutableEnumChecker") // the traits have no state
    private final DialectTraits traits;

    Dialect(DialectTraits traits) {
        this.traits = traits;
    }

    /**
     * Finds the dialect of a connection.
     *
     * @throws OutboxException if it is another database
     */
    public static Dialect of(Connection connection) throws SQLException {
        DatabaseMetaData metaData = connection.getMetaData();
        String product = metaData.getDatabaseProductName().toLowerCase(Locale.ROOT);
        // MySQL's driver calls a MariaDB server MySQL; the version tells.
        String version = metaData.getDatabaseProductVersion().toLowerCase(Locale.ROOT);
        if (product.equals("mariadb") || version.contains("mariadb")) {
            return MARIADB;
        }
        return switch (product) {
            case "postgresql" -> POSTGRESQL;
            case "mysql" -> MYSQL;
            case "h2" -> H2;
            default ->
                throw new OutboxException("The outbox works on PostgreSQL, MariaDB, MySQL and H2 but this is %s %s"
                        .formatted(metaData.getDatabaseProductName(), metaData.getDatabaseProductVersion()));
        };
    }

    /** The folder of the schema files. */
    String folder() {
        return traits.folder();
    }

    /** Returns the statement with the dialect's expressions. */
    public String in(String statement) {
        return traits.in(statement);
    }

    /** Whether an error ends the transaction, so that the caller cannot commit what came before it. */
    public boolean endsTransactionOnError() {
        return this == POSTGRESQL;
    }

    /**
     * Rolls back after an error that this database lets a caller overlook, and sees to it that nothing commits before
     * the caller's own rollback: the connection refuses writes, as on PostgreSQL, or is closed where it cannot. A
     * closed connection fails the caller's rollback, and that exception may hide this error.
     *
     * @param error gets what goes wrong meanwhile
     * @return whether the connection is open
     */
    public boolean refuseWrites(Connection connection, Throwable error) {
        try {
            connection.rollback();
            if (traits.refuseWrites(connection)) {
                return true;
            }
        } catch (SQLException e) {
            error.addSuppressed(e);
        }
        try {
            connection.close();
        } catch (SQLException e) {
            error.addSuppressed(e);
        }
        return false;
    }

    /** Whether the driver needs a round trip to tell the isolation of a connection. */
    boolean asksForIsolation() {
        return this == POSTGRESQL;
    }

    /** Whether a statement may be given a time limit. H2 would keep it for the whole connection. */
    public boolean limitsStatements() {
        return this != H2;
    }

    /** Makes the server end a transaction whose client has frozen, so that its locks do not stay for ever. */
    List<String> beforeTransaction() {
        return traits.beforeTransaction();
    }

    /** Undoes {@link #beforeTransaction}. */
    List<String> afterTransaction() {
        return traits.afterTransaction();
    }

    /** Limits the wait for a lock in the transaction that is open; returns what undoes it after the transaction. */
    List<String> limitLockWait(Connection connection, Duration longest) throws SQLException {
        return traits.limitLockWait(connection, longest);
    }

    /** Keeps the planner of this transaction on the indexes that fit, whatever it believes about the table. */
    public List<String> fixPlan() {
        return this == POSTGRESQL ? List.of(PostgresDialectTraits.FIXED_PLAN) : List.of();
    }

    /** Returns the form in which an id is bound. */
    public Object id(UUID id) {
        return traits.id(id);
    }

    /** Reads an id. */
    public UUID id(ResultSet row, String column) throws SQLException {
        return id(row, row.findColumn(column));
    }

    /** Returns the id in the column at this position. */
    public UUID id(ResultSet row, int column) throws SQLException {
        return traits.id(row, column);
    }

    /** Returns the form in which a time is bound; it must be a whole number of microseconds. */
    public Object time(Instant time) {
        return traits.time(time);
    }

    /** Reads a time; null if there is none or if it is {@code {infinity}}. */
    public @Nullable Instant time(ResultSet row, String column) throws SQLException {
        return traits.time(row, column);
    }

    /** Makes every other process that changes the same schema wait until {@link #unlockSchema}. */
    void lockSchema(Connection connection, TableNames names) throws SQLException {
        traits.lockSchema(connection, names);
    }

    /** Lets the next one change the schema. */
    void unlockSchema(Connection connection, TableNames names) throws SQLException {
        traits.unlockSchema(connection, names);
    }

    /** Returns the query for the estimated rows and bytes of a table; its parameters are schema, or null, and name. */
    String tableSize() {
        return traits.tableSize();
    }

    /** Tells whether the server takes no writes, as a standby does. */
    boolean readOnly(Connection connection) throws SQLException {
        return traits.readOnly(connection);
    }
}
