package dev.postrider.saga;

import dev.postrider.database.Dialect;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Lets no statement of a step begin after its time, nor last longer where the database can see to that. */
final class StepTimer {

    private final String step;
    private final Duration limit;
    private final long end;

    StepTimer(String step, Duration limit) {
        this.step = step;
        this.limit = limit;
        this.end = System.nanoTime() + limit.toNanos();
    }

    Instant deadline() {
        return Instant.now().plusNanos(left());
    }

    void check() throws SQLException {
        if (left() <= 0) {
            throw new SQLTimeoutException("Step '%s' took longer than %s".formatted(step, limit));
        }
    }

    /** Returns the connection with the limit on every statement it makes. */
    Connection limit(Connection connection) throws SQLException {
        boolean limits = Dialect.of(connection).limitsStatements();
        return (Connection) Proxy.newProxyInstance(
                StepTimer.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> invoke(connection, limits, method, arguments));
    }

    private @Nullable Object invoke(
            Connection connection, boolean limits, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        boolean makesStatement = Statement.class.isAssignableFrom(method.getReturnType());
        if (makesStatement) {
            check();
        }
        try {
            Object result = method.invoke(connection, arguments);
            if (makesStatement && limits && result instanceof Statement statement) {
                statement.setQueryTimeout((int) TimeUnit.NANOSECONDS.toSeconds(left()) + 1);
            }
            return result;
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    private long left() {
        return end - System.nanoTime();
    }
}
