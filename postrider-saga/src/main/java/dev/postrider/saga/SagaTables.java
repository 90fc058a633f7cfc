package dev.postrider.saga;

import dev.postrider.database.FrameworkTransaction;
import dev.postrider.database.OpenTransaction;
import dev.postrider.database.Session;
import dev.postrider.database.SqlWork;
import dev.postrider.database.TableNames;
import dev.postrider.database.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** How the tables of the sagas are reached: in transactions of their own or in the caller's. Thread-safe. */
final class SagaTables {

    private static final int TIMEOUT_SECONDS = 30;

    private final Transactions transactions;
    private final SagaTexts texts;

    SagaTables(DataSource dataSource, TableNames names) {
        this(dataSource, names, null);
    }

    SagaTables(DataSource dataSource, TableNames names, FrameworkTransaction.@Nullable Source framework) {
        this.transactions =
                new Transactions(dataSource, names, SagaSchema.FILES, TIMEOUT_SECONDS, SagaTexts::of, framework);
        this.texts = new SagaTexts(names);
    }

    /** Runs work in a transaction of its own, repeatedly if the database asks for it. */
    <T> T transacted(String what, SqlWork<T> work) {
        return transactions.transacted(what, work);
    }

    /** Runs work whose statements each commit on their own. */
    <T> T autoCommitted(String what, SqlWork<T> work) {
        return transactions.autoCommitted(what, work);
    }

    /**
     * Begins a transaction for a step.
     *
     * @param lockWait how long a lock is waited for; null for as long as the connection does anyhow
     */
    OpenTransaction begin(@Nullable Duration lockWait) throws SQLException {
        return transactions.begin(lockWait);
    }

    /** Returns the session of the transaction that is open on {@code connection}. */
    Session on(Connection connection) throws SQLException {
        return texts.on(connection);
    }
}
