package dev.postrider.saga;

import dev.postrider.database.Dialect;
import dev.postrider.database.OpenTransaction;
import dev.postrider.database.Session;
import dev.postrider.database.SqlText;
import dev.postrider.database.SqlWork;
import dev.postrider.database.TableNames;
import dev.postrider.database.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** How the tables of the sagas are reached: in transactions of their own or in the caller's. Thread-safe. */
final class SagaTables {

    private static final int TIMEOUT_SECONDS = 30;
    private static final int NO_TIMEOUT = 0;

    private final Transactions transactions;
    private final TableNames names;
    private final Map<Dialect, SqlText> texts = new ConcurrentHashMap<>();

    SagaTables(DataSource dataSource, TableNames names) {
        this.transactions = new Transactions(dataSource, names, SagaSchema.FILES, TIMEOUT_SECONDS, SagaTables::text);
        this.names = names;
    }

    /** Runs work in a transaction of its own, repeatedly if the database asks for it. */
    <T> T transacted(String what, SqlWork<T> work) {
        return transactions.transacted(what, work);
    }

    /** Runs work whose statements each commit on their own. */
    <T> T autoCommitted(String what, SqlWork<T> work) {
        return transactions.autoCommitted(what, work);
    }

    /** Returns the session of the transaction that is open on {@code connection}. */
    Session on(Connection connection) throws SQLException {
        SqlText text = texts.computeIfAbsent(Dialect.of(connection), dialect -> text(names, dialect));
        return new Session(connection, text, NO_TIMEOUT);
    }

    /**
     * Begins a transaction for a step.
     *
     * @param lockWait how long a lock is waited for; null for as long as the connection does anyhow
     */
    OpenTransaction begin(@Nullable Duration lockWait) throws SQLException {
        return transactions.begin(lockWait);
    }

    // PostgreSQL uses an index only for a time that stands still during the statement. MariaDB and MySQL lock what they
    // sort, so they are made to read in order.
    private static SqlText text(TableNames names, Dialect dialect) {
        String now = dialect == Dialect.POSTGRESQL ? "statement_timestamp()" : "{now}";
        boolean sorts = dialect == Dialect.MARIADB || dialect == Dialect.MYSQL;
        String byDue = sorts ? "force index ({prefix}instance_due)" : "";
        return new SqlText(
                names,
                dialect,
                statement -> statement.replace("{stable_now}", now).replace("{by_due}", byDue));
    }
}
