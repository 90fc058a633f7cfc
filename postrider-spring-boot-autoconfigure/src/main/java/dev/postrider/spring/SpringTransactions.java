package dev.postrider.spring;

import dev.postrider.EnqueueListener;
import dev.postrider.OutboxException;
import dev.postrider.OutboxMessage;
import dev.postrider.jdbc.TransactionSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import java.util.WeakHashMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Finds the Spring transaction of one data source, whichever transaction manager began it, and tells after its commit
 * that messages were stored: give it to the outbox as source of transactions and as listener.
 *
 * <p>It refuses where a message could be lost or outlive a rollback: without a transaction, in a transaction of another
 * data source, in a read-only one, and after the commit. To notice the last, it listens to the transaction manager:
 * register it with {@code ConfigurableTransactionManager.addListener}. Thread-safe.
 */
public final class SpringTransactions implements TransactionSource, EnqueueListener, TransactionExecutionListener {

    private final DataSource dataSource;
    private final Runnable afterCommit;

    // The connections of transactions that have begun to commit. There are several while a callback of one runs
    // another.
    // Weak, because Spring does not report the end of a transaction whose callback threw.
    @SuppressWarnings("ThreadLocalUsage") // each data source has its own; they live as long as the application
    private final ThreadLocal<Map<TransactionExecution, Object>> committed = ThreadLocal.withInitial(WeakHashMap::new);

    /** Finds transactions of {@code dataSource}; runs {@code afterCommit} once after each that enqueued something. */
    public SpringTransactions(DataSource dataSource, Runnable afterCommit) {
        this.dataSource = unwrapped(Objects.requireNonNull(dataSource, "dataSource"));
        this.afterCommit = Objects.requireNonNull(afterCommit, "afterCommit");
    }

    // As transaction managers do: they bind the connection to the data source behind the proxy.
    static DataSource unwrapped(DataSource dataSource) {
        if (dataSource instanceof TransactionAwareDataSourceProxy proxy && proxy.getTargetDataSource() != null) {
            return proxy.getTargetDataSource();
        }
        return dataSource;
    }

    @Override
    public Connection connection() {
        if (!TransactionSynchronizationManager.isActualTransactionActive()
                || !TransactionSynchronizationManager.isSynchronizationActive()) {
            throw new NoTransactionException("A message can only be enqueued inside a transaction, and there is none:"
                    + " put @Transactional on the method, on a public method called from another bean, or use a"
                    + " TransactionTemplate");
        }
        if (!(TransactionSynchronizationManager.getResource(dataSource) instanceof ConnectionHolder holder)) {
            throw new NoTransactionException("The open transaction is not one of the outbox's data source: name the"
                    + " transaction manager of that data source, as in @Transactional(\"ordersTransactionManager\")");
        }
        if (committed.get().containsValue(holder)) {
            throw new NoTransactionException("The transaction has committed already, so a message enqueued now would"
                    + " be lost: enqueue before the commit, or begin a transaction with propagation REQUIRES_NEW");
        }
        if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
            throw new NoTransactionException(
                    "The transaction is read-only, so no message can be enqueued in it: remove" + " readOnly = true");
        }
        if (holder.hasTimeout()) {
            // Throws, and marks the transaction for rollback, once its time is over: JDBC alone would commit it.
            holder.getTimeToLiveInMillis();
        }
        return joined();
    }

    private Connection joined() {
        Connection connection = DataSourceUtils.getConnection(dataSource);
        try {
            // A connection that was only borrowed inside another data source's transaction commits by itself.
            if (connection.getAutoCommit()) {
                throw new NoTransactionException("The open transaction is not one of the outbox's data source: its"
                        + " connection commits each statement by itself");
            }
            return connection;
        } catch (SQLException e) {
            DataSourceUtils.releaseConnection(connection, dataSource);
            throw new OutboxException("Could not look at the open transaction", e);
        } catch (RuntimeException e) {
            DataSourceUtils.releaseConnection(connection, dataSource);
            throw e;
        }
    }

    /** Hears of a message that was enqueued with a connection, which may be that of the open transaction. */
    @Override
    public void enqueued(OutboxMessage message) {
        if (TransactionSynchronizationManager.isSynchronizationActive()
                && TransactionSynchronizationManager.hasResource(dataSource)) {
            notifyAfterCommit();
        }
    }

    @Override
    public void release(Connection connection) {
        DataSourceUtils.releaseConnection(connection, dataSource);
    }

    private void notifyAfterCommit() {
        for (TransactionSynchronization known : TransactionSynchronizationManager.getSynchronizations()) {
            if (known instanceof Stored stored && stored.owner == this) {
                return;
            }
        }
        TransactionSynchronizationManager.registerSynchronization(new Stored(this));
    }

    @Override
    public void beforeCommit(TransactionExecution transaction) {
        if (transaction.isNewTransaction()
                && TransactionSynchronizationManager.getResource(dataSource) instanceof ConnectionHolder holder) {
            committed.get().put(transaction, holder);
        }
    }

    @Override
    public void afterCommit(TransactionExecution transaction, @Nullable Throwable failure) {
        committed.get().remove(transaction);
    }

    @Override
    public void afterRollback(TransactionExecution transaction, @Nullable Throwable failure) {
        committed.get().remove(transaction);
    }

    /** Runs what follows a commit, once for each transaction. */
    private static final class Stored implements TransactionSynchronization {

        private final SpringTransactions owner;

        Stored(SpringTransactions owner) {
            this.owner = owner;
        }

        @Override
        public void afterCommit() {
            owner.afterCommit.run();
        }
    }
}
