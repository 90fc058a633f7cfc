package dev.postrider.database;

import dev.postrider.OutboxException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Borrows connections for Postrider's own work: READ COMMITTED whatever the pool hands out, a bound for every wait for
 * the server, everything rolled back after an error, everything put back as it was found. Thread-safe.
 */
public final class Transactions {

    private static final Logger log = LoggerFactory.getLogger(Transactions.class);
    private static final int ATTEMPTS = 6;
    private static final int FIRST_WAIT_MILLIS = 4;

    private final DataSource dataSource;
    private final TableNames names;
    private final SchemaFiles schema;
    private final BiFunction<TableNames, Dialect, SqlText> wording;
    private final int timeoutSeconds;
    private final FrameworkTransaction.@Nullable Source framework;
    private volatile @Nullable SqlText text;
    private final Isolations isolations = new Isolations();
    private final AtomicBoolean unprepared = new AtomicBoolean();

    /**
     * Takes the tables, how long a statement may take, and how statements are worded for a database; nothing is sent to
     * the database yet.
     */
    public Transactions(
            DataSource dataSource,
            TableNames names,
            SchemaFiles schema,
            int timeoutSeconds,
            BiFunction<TableNames, Dialect, SqlText> wording) {
        this(dataSource, names, schema, timeoutSeconds, wording, null);
    }

    /** Takes also the framework that begins the transactions of {@link #begin}; null for none. */
    public Transactions(
            DataSource dataSource,
            TableNames names,
            SchemaFiles schema,
            int timeoutSeconds,
            BiFunction<TableNames, Dialect, SqlText> wording,
            FrameworkTransaction.@Nullable Source framework) {
        this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
        this.names = Objects.requireNonNull(names, "names");
        this.schema = schema;
        this.timeoutSeconds = timeoutSeconds;
        this.wording = wording;
        this.framework = framework;
    }

    /** Returns the database's dialect, asking the database once; refuses tables that do not fit. */
    public Dialect dialect() {
        return text().dialect();
    }

    /** Returns the text of statements for this database. */
    @SuppressWarnings("try") // the limit is closed and not used
    public SqlText text() {
        SqlText known = text;
        if (known == null) {
            try (Connection connection = dataSource.getConnection();
                    NetworkTimeout limit = NetworkTimeout.set(connection, timeoutSeconds)) {
                known = wording.apply(names, Dialect.of(connection));
                new SchemaCheck(schema, names).requireFit(connection);
            } catch (SQLException e) {
                throw explained("Could not find out which database this is", e);
            }
            text = known;
        }
        return known;
    }

    /** Runs work whose statements each commit on their own, so that a frozen client holds no locks. */
    public <T> T autoCommitted(String what, SqlWork<T> work) {
        return repeated(what, true, work);
    }

    /** Runs work in one transaction. */
    public <T> T transacted(String what, SqlWork<T> work) {
        return repeated(what, false, work);
    }

    /**
     * Begins a transaction for work that is not Postrider's own, such as a handler: READ COMMITTED, and without a limit
     * for the time between or in statements.
     *
     * @param lockWait how long a lock is waited for; null for as long as the connection does anyhow
     */
    public OpenTransaction begin(@Nullable Duration lockWait) throws SQLException {
        if (framework != null) {
            return FrameworkFrame.begin(framework, text(), lockWait);
        }
        return open((connection, known) -> Borrowed.begun(connection, known, dialect(), lockWait));
    }

    /** Tells whether a framework begins the transactions of {@link #begin}, so that SQL must not. */
    public boolean ofFramework() {
        return framework != null;
    }

    /** As {@link #begin}, but the transaction begins only with {@link OpenTransaction#beginWith}. */
    public OpenTransaction beginLater() throws SQLException {
        return open(Borrowed::autoCommitted);
    }

    private OpenTransaction open(Borrowing borrowing) throws SQLException {
        SqlText text = text();
        Connection connection = dataSource.getConnection();
        try {
            boolean known = isolations.isReadCommitted(connection, text.dialect());
            Borrowed borrowed = borrowing.borrow(connection, known);
            isolations.learn(borrowed, text.dialect());
            return new OpenTransaction(new BorrowedFrame(borrowed), new Session(connection, text, 0));
        } catch (SQLException | RuntimeException | Error e) {
            try (connection) {
                throw e;
            }
        }
    }

    /** Returns the error to throw, with what to do about it where that is known. */
    public OutboxException explained(String what, SQLException cause) {
        return schema.explained(what, cause, names);
    }

    private <T> T repeated(String what, boolean autoCommit, SqlWork<T> work) {
        for (int attempt = 1; ; attempt++) {
            boolean prepared = !unprepared.get();
            try {
                return once(autoCommit, work);
            } catch (SQLException e) {
                if (prepared && SqlErrors.preparedStatementLost(e) && dialect() == Dialect.POSTGRESQL) {
                    stopPreparing(e);
                    continue;
                }
                if (attempt == ATTEMPTS || !SqlErrors.retryable(e)) {
                    throw explained("Could not " + what, e);
                }
                pause(what, attempt, e);
            }
        }
    }

    private void stopPreparing(SQLException cause) {
        if (unprepared.compareAndSet(false, true)) {
            log.warn(
                    "A prepared statement was lost, as behind PgBouncer in transaction mode. From now on statements are"
                            + " not prepared on the server; set prepareThreshold=0 in the JDBC URL of this data source",
                    cause);
        }
    }

    @SuppressWarnings("try") // the limit is closed and not used
    private <T> T once(boolean autoCommit, SqlWork<T> work) throws SQLException {
        SqlText text = text();
        try (Connection connection = dataSource.getConnection();
                NetworkTimeout limit = NetworkTimeout.set(connection, timeoutSeconds)) {
            boolean known = isolations.isReadCommitted(connection, text.dialect());
            Borrowed borrowed = autoCommit
                    ? Borrowed.autoCommitted(connection, known)
                    : Borrowed.transacted(connection, known, text.dialect());
            isolations.learn(borrowed, text.dialect());
            T result;
            try {
                if (unprepared.get()) {
                    Unprepared.make(connection);
                }
                result =
                        work.run(new Session(connection, text, text.dialect().limitsStatements() ? timeoutSeconds : 0));
                if (!autoCommit) {
                    connection.commit();
                }
            } catch (SQLException | RuntimeException | Error e) {
                borrowed.undo(e);
                throw e;
            }
            borrowed.restore();
            return result;
        }
    }

    /**
     * Waits before a transaction is repeated, longer each time and never equally long.
     *
     * @throws OutboxException if the thread is interrupted
     */
    public static void pause(String what, int attempt, Throwable cause) {
        int longest = FIRST_WAIT_MILLIS << Math.min(attempt, ATTEMPTS);
        try {
            TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextInt(longest / 2, longest));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OutboxException("Interrupted; could not " + what, cause);
        }
    }

    @FunctionalInterface
    private interface Borrowing {

        Borrowed borrow(Connection connection, boolean readCommitted) throws SQLException;
    }
}
