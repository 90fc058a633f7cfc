package dev.postrider.saga.testkit;

import dev.postrider.OutboxMessage;
import dev.postrider.Receipt;
import dev.postrider.saga.StepTransaction;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The transaction of a step that counts statements, remembers messages and has the database refuse one statement. */
final class WatchedTransaction implements StepTransaction {

    private final StepTransaction transaction;
    private final int refused;
    private final List<UUID> messages = new ArrayList<>();
    private int statements;

    /** Has the database refuse statement number {@code refused}, counted from 1. */
    WatchedTransaction(StepTransaction transaction, int refused) {
        this.transaction = transaction;
        this.refused = refused;
    }

    int statements() {
        return statements;
    }

    boolean hasRefused() {
        return refused > 0 && statements >= refused;
    }

    List<UUID> messages() {
        return messages;
    }

    @Override
    public Connection connection() {
        return proxy(Connection.class, transaction.connection());
    }

    private <T> T proxy(Class<T> type, T target) {
        return type.cast(Proxy.newProxyInstance(
                WatchedTransaction.class.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> invoke(target, method, arguments)));
    }

    private @Nullable Object invoke(Object target, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        if (target instanceof Statement && method.getName().startsWith("execute") && ++statements == refused) {
            refuse();
        }
        try {
            Object result = method.invoke(target, arguments);
            if (method.getReturnType() == PreparedStatement.class) {
                return proxy(PreparedStatement.class, (PreparedStatement) result);
            }
            if (method.getReturnType() == CallableStatement.class) {
                return proxy(CallableStatement.class, (CallableStatement) result);
            }
            return method.getReturnType() == Statement.class ? proxy(Statement.class, (Statement) result) : result;
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    // The database itself has to say no: what that does to the transaction differs from one to the other.
    private void refuse() throws SQLException {
        try (Statement statement = transaction.connection().createStatement()) {
            statement.execute("select no_such_column from saga_test_mark");
        }
        throw new IllegalStateException("The database took a statement that makes no sense");
    }

    @Override
    public Receipt enqueue(OutboxMessage message) {
        Receipt receipt = transaction.enqueue(message);
        if (receipt.inserted()) {
            messages.add(receipt.id());
        }
        return receipt;
    }

    @Override
    public String idempotencyKey() {
        return transaction.idempotencyKey();
    }

    @Override
    public int attempt() {
        return transaction.attempt();
    }

    @Override
    public Optional<Instant> deadline() {
        return transaction.deadline();
    }

    @Override
    public UUID sagaId() {
        return transaction.sagaId();
    }
}
