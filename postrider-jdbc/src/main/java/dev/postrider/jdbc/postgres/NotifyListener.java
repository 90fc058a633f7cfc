package dev.postrider.jdbc.postgres;

import dev.postrider.OutboxException;
import dev.postrider.database.NetworkTimeout;
import dev.postrider.database.TableNames;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens on a connection of its own and opens another one after an error. Thread-safe; one thread listens at a time.
 */
final class NotifyListener {

    private static final Logger log = LoggerFactory.getLogger(NotifyListener.class);
    private static final String LISTEN = "listen {channel}";
    private static final String UNLISTEN = "unlisten {channel}";
    // The driver's wait can be neither interrupted nor closed, so it is done in slices.
    private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long RECONNECT_NANOS = TimeUnit.SECONDS.toNanos(1);
    // A connection that is dead on the other side stays silent for ever unless it is asked something.
    private static final long PROBE_NANOS = TimeUnit.SECONDS.toNanos(15);
    private static final int TIMEOUT_SECONDS = 5;

    private final DataSource dataSource;
    private final TableNames names;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition closing = lock.newCondition();
    private @Nullable Connection connection;
    private @Nullable NetworkTimeout limit;
    private long heardAt;
    private boolean failing;
    private volatile boolean closed;

    NotifyListener(DataSource dataSource, TableNames names) {
        this.dataSource = dataSource;
        this.names = names;
    }

    boolean await(Duration timeout) throws InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        if (!lock.tryLock(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
            return false;
        }
        try {
            return listen(end);
        } finally {
            lock.unlock();
        }
    }

    private boolean listen(long end) throws InterruptedException {
        try {
            if (connection == null && !closed) {
                connection = connect();
                failing = false;
                // Signals may have been missed until now.
                return true;
            }
            Connection listening = connection;
            boolean heard = false;
            while (listening != null && !heard && !closed && end - System.nanoTime() > 0) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                heard = hear(listening, Math.min(SLICE_NANOS, end - System.nanoTime()));
            }
            return heard;
        } catch (SQLException e) {
            disconnect(e);
            pause(Math.min(RECONNECT_NANOS, end - System.nanoTime()));
            return false;
        }
    }

    // With the only connection taken for good, the relay could claim nothing, and would not tell why.
    private void requireSecondConnection() {
        if (PoolSize.of(dataSource).orElse(Integer.MAX_VALUE) == 1) {
            throw new OutboxException(
                    "Could not listen for new messages: listening keeps a connection, and the pool has"
                            + " only one. Give the relay's pool at least two connections, four are enough");
        }
    }

    private Connection connect() throws SQLException {
        requireSecondConnection();
        Connection opened = dataSource.getConnection();
        try (Statement statement = opened.createStatement()) {
            limit = NetworkTimeout.set(opened, TIMEOUT_SECONDS);
            opened.setAutoCommit(true);
            statement.setQueryTimeout(TIMEOUT_SECONDS);
            statement.execute(names.in(LISTEN));
        } catch (SQLException e) {
            try (opened) {
                throw e;
            }
        }
        heardAt = System.nanoTime();
        return opened;
    }

    private boolean hear(Connection listening, long nanos) throws SQLException {
        int millis = (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos));
        PGNotification[] heard = listening.unwrap(PGConnection.class).getNotifications(millis);
        if (heard != null && heard.length > 0) {
            heardAt = System.nanoTime();
            return true;
        }
        if (System.nanoTime() - heardAt > PROBE_NANOS) {
            if (!listening.isValid(TIMEOUT_SECONDS)) {
                throw new SQLException("The connection does not answer", "08006");
            }
            heardAt = System.nanoTime();
        }
        return false;
    }

    private void pause(long nanos) throws InterruptedException {
        long left = nanos;
        while (left > 0 && !closed) {
            left = closing.awaitNanos(left);
        }
    }

    private void disconnect(SQLException cause) {
        if (!failing) {
            log.warn("Could not listen for new messages; until that works again they are found by polling", cause);
        }
        failing = true;
        Connection broken = connection;
        connection = null;
        if (broken != null) {
            try {
                // A pool must not hand it out again while it listens.
                broken.abort(Runnable::run);
                broken.close();
            } catch (SQLException e) {
                log.debug("Could not close a broken connection", e);
            }
        }
    }

    void close() {
        closed = true;
        lock.lock();
        try {
            closing.signalAll();
            Connection listening = connection;
            connection = null;
            if (listening != null) {
                try (listening;
                        Statement statement = listening.createStatement()) {
                    statement.execute(names.in(UNLISTEN));
                    if (limit != null) {
                        limit.close();
                    }
                } catch (SQLException e) {
                    log.debug("Could not stop listening in order", e);
                }
            }
        } finally {
            lock.unlock();
        }
    }
}
