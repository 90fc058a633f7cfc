package dev.postrider.saga;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** A data source whose next commits fail when the test says so, with the error of the case. */
final class RefusedCommits {

    private final DataSource dataSource;
    private final Refusal refusal;
    private final AtomicInteger left = new AtomicInteger();

    /** How a commit fails. */
    enum Refusal {
        /** The database rolled the transaction back and asks for it again. */
        CONFLICT("40001", false),
        /** The connection broke before the server committed. */
        LOST_BEFORE("08006", false),
        /** The server committed, but the connection broke before it could say so. */
        LOST_AFTER("08006", true);

        private final String state;
        private final boolean commits;

        Refusal(String state, boolean commits) {
            this.state = state;
            this.commits = commits;
        }
    }

    RefusedCommits(DataSource dataSource, Refusal refusal) {
        this.dataSource = dataSource;
        this.refusal = refusal;
    }

    /** Lets the next commits fail. */
    void refuse(int commits) {
        left.set(commits);
    }

    DataSource dataSource() {
        return (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    Object result = call(dataSource, method, arguments);
                    return result instanceof Connection connection ? refusing(connection) : result;
                });
    }

    private Connection refusing(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("commit") && left.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
                        if (refusal.commits) {
                            connection.commit();
                        } else {
                            connection.rollback();
                        }
                        throw new SQLException("Refused", refusal.state);
                    }
                    return call(connection, method, arguments);
                });
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
