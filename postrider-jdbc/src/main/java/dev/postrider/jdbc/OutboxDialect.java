package dev.postrider.jdbc;

import dev.postrider.database.Dialect;
import dev.postrider.database.Session;
import dev.postrider.database.SqlText;
import dev.postrider.database.TableNames;
import dev.postrider.database.Transactions;
import dev.postrider.jdbc.row.RowKeys;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * How the outbox differs between databases, apart from what {@link Dialect} knows. The defaults hold for MariaDB, MySQL
 * and H2. Thread-safe.
 */
public interface OutboxDialect {

    /** Returns how the outbox speaks to a database. */
    static OutboxDialect of(Dialect dialect) {
        return switch (dialect) {
            case POSTGRESQL -> PostgresOutboxDialect.INSTANCE;
            case MARIADB, MYSQL -> MySqlOutboxDialect.INSTANCE;
            case H2 -> H2OutboxDialect.INSTANCE;
        };
    }

    /** Returns the text of the outbox's statements. */
    static SqlText text(TableNames names, Dialect dialect) {
        return text(names, dialect, 0);
    }

    private static SqlText text(TableNames names, Dialect dialect, int timeoutSeconds) {
        String millis = Long.toString(TimeUnit.SECONDS.toMillis(timeoutSeconds));
        return new SqlText(
                names, dialect, statement -> of(dialect).in(statement).replace(Session.TIME_LIMIT, millis));
    }

    /** Returns transactions on the outbox's tables. */
    static Transactions transactions(DataSource dataSource, TableNames names, int timeoutSeconds) {
        return new Transactions(
                dataSource,
                names,
                OutboxSchema.FILES,
                timeoutSeconds,
                (tables, dialect) -> text(tables, dialect, timeoutSeconds));
    }

    /** Returns the statement with the outbox's expressions, such as hints. */
    String in(String statement);

    /** Inserts a message unless one with its dedupe key is there. */
    default String insertOnce() {
        return Inserts.INSERT;
    }

    /**
     * Whether {@link #insertOnce} inserts no row for a duplicate; otherwise it fails and changes nothing. On MariaDB
     * and MySQL, INSERT IGNORE would hide other errors too, and ON DUPLICATE KEY UPDATE counts a duplicate as inserted.
     */
    default boolean skipsDuplicates() {
        return false;
    }

    /** Whether several statements, also a commit, can be sent in one round trip. */
    default boolean sendsTogether() {
        return false;
    }

    /** Returns how a relay reads rows, and with which keys. */
    default Fetches fetches(Transactions transactions, RowKeys keys) {
        return new StepwiseFetch(transactions, keys);
    }

    /** Returns how a caller that drives its own loop claims rows. */
    default ManualClaims manualClaims(Transactions transactions, RowKeys keys) {
        return new LockingManualClaims(transactions, keys);
    }

    /** Returns how outcomes are written. */
    Outcomes outcomes(Transactions transactions, boolean deleteDelivered);

    /** Returns how shards are taken over. */
    default ShardTakeover takeover() {
        return new LockingTakeover();
    }

    /** Returns how messages that hold their keys are found. */
    default HeldKeys heldKeys() {
        return new LockingHeldKeys();
    }
}
