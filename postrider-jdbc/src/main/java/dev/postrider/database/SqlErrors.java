package dev.postrider.database;

import java.sql.SQLException;
import java.util.Set;

/** What an error of the database means, by its state and code and never by its text. */
public final class SqlErrors {

    // Serialization failure and deadlock by the standard and by PostgreSQL; H2's concurrent update.
    private static final Set<String> RETRYABLE_STATES = Set.of("40001", "40P01");
    // MariaDB and MySQL: deadlock, lock wait timeout, record has changed since last read.
    private static final Set<Integer> RETRYABLE_CODES = Set.of(1213, 1205, 1020);
    // H2: lock timeout, concurrent update.
    private static final Set<Integer> RETRYABLE_H2_CODES = Set.of(50200, 90131);
    // MariaDB and MySQL; H2.
    private static final Set<Integer> LOCK_TIMEOUT_CODES = Set.of(1205, 50200);
    private static final Set<String> MISSING_STATES = Set.of("42P01", "42S02", "42S03", "42S04", "3F000", "90079");
    // The statement does not exist, exists already, or takes another number of parameters.
    private static final Set<String> PREPARED_LOST_STATES = Set.of("26000", "42P05", "08P01");
    private static final int UNKNOWN_DATABASE = 1049;
    private static final int COLUMN_EXISTS = 1060;
    // MariaDB and MySQL: the server runs with read_only; the transaction was begun read only. H2: the database is.
    private static final Set<Integer> READ_ONLY_CODES = Set.of(1290, 1836, 1792, 90097);

    // MariaDB and MySQL: the database, a table, a column; H2.
    private static final Set<Integer> DENIED_CODES = Set.of(1044, 1142, 1143, 90096);

    // MariaDB: the server ends, the session was killed; H2: the database is closed, the connection is.
    private static final Set<Integer> LOST_CODES = Set.of(1053, 1927, 90121, 90098, 90007);

    // MariaDB and MySQL, whose states for these do not say so: a text its column's character set lacks, or that is too
    // long, mixed character sets, and conversions between them that cannot be.
    private static final Set<Integer> DATA_CODES = Set.of(1366, 1406, 1267, 1300, 1977, 3854, 3988);

    private SqlErrors() {}

    /** Tells whether the same transaction may succeed when it is repeated at once. */
    public static boolean retryable(SQLException error) {
        return RETRYABLE_STATES.contains(state(error))
                || RETRYABLE_CODES.contains(error.getErrorCode())
                || RETRYABLE_H2_CODES.contains(error.getErrorCode());
    }

    /** Tells whether a lock was waited for as long as allowed; MariaDB and MySQL undid only the statement. */
    public static boolean lockTimeout(SQLException error) {
        return state(error).equals("55P03") || LOCK_TIMEOUT_CODES.contains(error.getErrorCode());
    }

    /** Tells whether a table, or the schema it should be in, does not exist. */
    public static boolean missingTable(SQLException error) {
        return MISSING_STATES.contains(state(error)) || error.getErrorCode() == UNKNOWN_DATABASE;
    }

    /** Tells whether PostgreSQL does not know a prepared statement by its name, or knows another one by it. */
    static boolean preparedStatementLost(SQLException error) {
        return PREPARED_LOST_STATES.contains(state(error));
    }

    /** Tells whether MariaDB or MySQL refuses to add a column because the table has it already. */
    static boolean columnExists(SQLException error) {
        return error.getErrorCode() == COLUMN_EXISTS;
    }

    /** Tells whether the database, or this session, takes no writes. */
    public static boolean readOnly(SQLException error) {
        return state(error).equals("25006") || READ_ONLY_CODES.contains(error.getErrorCode());
    }

    /** Tells whether the user lacks a privilege. */
    public static boolean denied(SQLException error) {
        return state(error).equals("42501") || DENIED_CODES.contains(error.getErrorCode());
    }

    /** Tells whether the database refused a value, as it will each time, for example a text its encoding lacks. */
    public static boolean data(SQLException error) {
        return state(error).startsWith("22") || DATA_CODES.contains(error.getErrorCode());
    }

    /** Tells whether the row is there already. */
    public static boolean duplicate(SQLException error) {
        return state(error).equals("23505") || error.getErrorCode() == 1062;
    }

    /** Tells whether the connection broke or the server ends, so that nothing is said about the work itself. */
    public static boolean connectionLost(SQLException error) {
        return state(error).startsWith("08")
                || state(error).startsWith("57P0")
                || LOST_CODES.contains(error.getErrorCode());
    }

    private static String state(SQLException error) {
        return error.getSQLState() == null ? "" : error.getSQLState();
    }
}
