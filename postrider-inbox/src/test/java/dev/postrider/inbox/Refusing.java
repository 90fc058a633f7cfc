package dev.postrider.inbox;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** A data source that refuses as many connections as it is told to. */
final class Refusing {

    private final DataSource dataSource;
    private final AtomicInteger left = new AtomicInteger();
    private volatile String state = "08001";

    Refusing(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** Refuses the next connections with this SQLSTATE. */
    void next(int connections, String sqlState) {
        state = sqlState;
        left.set(connections);
    }

    DataSource dataSource() {
        return (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("getConnection") && left.getAndUpdate(Refusing::less) > 0) {
                        throw new SQLException("Refused", state);
                    }
                    try {
                        return method.invoke(dataSource, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static int less(int count) {
        return Math.max(0, count - 1);
    }
}
