package dev.postrider.saga;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** A data source whose first commits end in an error, after the server has committed or without. */
final class BrokenCommits {

    private final DataSource dataSource;
    private final AtomicInteger left;
    private final boolean commits;
    private final boolean refusesAfterwards;
    private volatile boolean refuses;

    BrokenCommits(DataSource dataSource, int count, boolean commits, boolean refusesAfterwards) {
        this.dataSource = dataSource;
        this.left = new AtomicInteger(count);
        this.commits = commits;
        this.refusesAfterwards = refusesAfterwards;
    }

    DataSource dataSource() {
        return (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    if (refuses) {
                        throw new SQLException("The database cannot be reached", "08001");
                    }
                    Object result = call(dataSource, method, arguments);
                    return result instanceof Connection connection ? broken(connection) : result;
                });
    }

    private Connection broken(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("commit") && left.getAndDecrement() == 1) {
                        if (commits) {
                            connection.commit();
                        } else {
                            connection.rollback();
                        }
                        refuses = refusesAfterwards;
                        throw new SQLException("The connection is lost", "08006");
                    }
                    return call(connection, method, arguments);
                });
    }

    private static Object call(Object target, java.lang.reflect.Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
