package dev.postrider.benchmarks.contenders;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Hands out the connection of the caller's transaction, if there is one: for contenders that take a data source. */
final class TransactionDataSource extends DelegatingDataSource {

    private static final ThreadLocal<Connection> CURRENT = new ThreadLocal<>();

    TransactionDataSource(DataSource target) {
        super(target);
    }

    /** Does work that gets this connection. */
    void with(Connection connection, Runnable work) {
        CURRENT.set(shared(connection));
        try {
            work.run();
        } finally {
            CURRENT.remove();
        }
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = CURRENT.get();
        return connection == null ? super.getConnection() : connection;
    }

    // Who began the transaction closes its connection.
    private static Connection shared(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        return null;
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
    }
}
