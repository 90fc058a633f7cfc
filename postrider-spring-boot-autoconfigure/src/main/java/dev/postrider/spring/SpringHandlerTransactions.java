package dev.postrider.spring;

import dev.postrider.database.FrameworkTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Runs handlers of an inbox and local steps of sagas in transactions of Spring, so that {@code @Transactional}
 * repositories join them. The transaction manager may be the one for JDBC or the one for JPA. Each transaction is new
 * and READ COMMITTED. Thread-safe.
 */
public final class SpringHandlerTransactions implements FrameworkTransaction.Source {

    private static final int MAX_CAUSES = 50;

    private final PlatformTransactionManager manager;
    private final DataSource dataSource;

    /** Begins transactions of {@code dataSource}, which has the tables, with the transaction manager of it. */
    public SpringHandlerTransactions(PlatformTransactionManager manager, DataSource dataSource) {
        this.manager = Objects.requireNonNull(manager, "manager");
        this.dataSource = SpringTransactions.unwrapped(Objects.requireNonNull(dataSource, "dataSource"));
    }

    @Override
    public FrameworkTransaction begin() throws SQLException {
        DefaultTransactionDefinition definition =
                new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        definition.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
        TransactionStatus status;
        try {
            status = manager.getTransaction(definition);
        } catch (RuntimeException e) {
            throw sql("Could not begin a transaction of Spring", e);
        }
        try {
            return new Begun(manager, status, connection());
        } catch (SQLException | RuntimeException e) {
            manager.rollback(status);
            throw e;
        }
    }

    private Connection connection() throws SQLException {
        if (TransactionSynchronizationManager.getResource(dataSource) instanceof ConnectionHolder holder) {
            Connection connection = holder.getConnection();
            if (!connection.getAutoCommit()) {
                return connection;
            }
        }
        throw new SQLException("The transaction manager %s does not begin transactions of the data source of Postrider:"
                        .formatted(manager)
                + " define a SpringHandlerTransactions bean with the right one");
    }

    // The error of the database decides what happens to the message, so it must not be hidden.
    private static SQLException sql(String what, RuntimeException error) {
        Throwable each = error;
        for (int depth = 0; each != null && depth < MAX_CAUSES; depth++) {
            if (each instanceof SQLException sql) {
                return sql;
            }
            each = each.getCause();
        }
        return new SQLException(what + ": " + error.getMessage(), error);
    }

    private record Begun(PlatformTransactionManager manager, TransactionStatus status, Connection connection)
            implements FrameworkTransaction {

        @Override
        public void flush() throws SQLException {
            if (status.isRollbackOnly()) {
                throw new SQLException("A method that took part in the transaction has failed and so rolled it back:"
                        + " let its exception pass, or give it a transaction of its own");
            }
            status.flush();
        }

        @Override
        public void commit() throws SQLException {
            try {
                manager.commit(status);
            } catch (RuntimeException e) {
                throw sql("Could not commit the transaction of Spring", e);
            }
        }

        @Override
        public void rollback() throws SQLException {
            if (status.isCompleted()) {
                return;
            }
            try {
                manager.rollback(status);
            } catch (RuntimeException e) {
                throw sql("Could not roll back the transaction of Spring", e);
            }
        }
    }
}
