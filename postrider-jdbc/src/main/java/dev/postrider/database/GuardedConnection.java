package dev.postrider.database;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A connection for code that may work in a transaction but not end it. Savepoints are allowed. Once closed it refuses
 * everything, so that nobody works on in a connection that went back to its pool.
 */
public final class GuardedConnection implements AutoCloseable {

    private static final Set<String> REFUSED =
            Set.of("commit", "close", "abort", "setAutoCommit", "setTransactionIsolation");

    private final Connection connection;
    private final Connection guarded;
    private volatile boolean ended;

    private GuardedConnection(Connection connection) {
        this.connection = connection;
        this.guarded = (Connection) Proxy.newProxyInstance(
                GuardedConnection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> invoke(proxy, method, arguments));
    }

    /** Guards the transaction that is open on {@code connection}. */
    public static GuardedConnection of(Connection connection) {
        return new GuardedConnection(connection);
    }

    /**
     * Returns a connection that stays open when it is closed, for code that closes it after an error although it
     * belongs to somebody who still has to put it in order.
     */
    public static Connection keptOpen(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                GuardedConnection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) ->
                        method.getName().equals("close") ? null : call(connection, method, arguments));
    }

    /** Returns what the code gets. */
    public Connection connection() {
        return guarded;
    }

    /** Ends the permission; the transaction stays as it is. */
    @Override
    public void close() {
        ended = true;
    }

    private @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        String name = method.getName();
        if (method.getDeclaringClass() == Object.class) {
            return ofObject(proxy, name, arguments);
        }
        if (name.equals("isClosed") && ended) {
            return true;
        }
        if (ended) {
            throw new SQLException(name + " came after the transaction of this handler or step had ended");
        }
        boolean wholeRollback = name.equals("rollback") && (arguments == null || !(arguments[0] instanceof Savepoint));
        if (wholeRollback || REFUSED.contains(name)) {
            throw new SQLException(name + " is not for a handler or step: Postrider commits what it wrote together with"
                    + " its own rows when it returns, and rolls everything back when it throws");
        }
        return call(connection, method, arguments);
    }

    private static @Nullable Object call(Connection connection, Method method, Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(connection, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    private Object ofObject(Object proxy, String name, Object @Nullable [] arguments) {
        return switch (name) {
            case "equals" -> arguments != null && proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> "GuardedConnection[" + connection + "]";
        };
    }
}
