package dev.postrider.jdbc.postgres;

import dev.postrider.database.NetworkTimeout;
import dev.postrider.database.TableNames;
import dev.postrider.spi.WakeUp;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wakes relays in other processes by PostgreSQL's NOTIFY. Signals that are sent at the same time become one, each on a
 * connection of its own and never in the business transaction, where NOTIFY would make commits wait for each other. A
 * process that awaits keeps one connection, so {@link #await} refuses a pool that has only one. Thread-safe.
 */
public final class PostgresWakeUp implements WakeUp {

    private static final Logger log = LoggerFactory.getLogger(PostgresWakeUp.class);
    private static final String NOTIFY = "select pg_notify(?, '')";
    private static final int TIMEOUT_SECONDS = 5;

    private final DataSource dataSource;
    private final String channel;
    private final NotifyListener listener;
    private final AtomicInteger wanted = new AtomicInteger();
    private volatile boolean failing;

    private PostgresWakeUp(DataSource dataSource, TableNames names) {
        this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
        this.channel = names.channel();
        this.listener = new NotifyListener(dataSource, names);
    }

    /** Returns the wake-up of the tables with the default names. */
    public static PostgresWakeUp of(DataSource dataSource) {
        return of(dataSource, TableNames.defaults());
    }

    /** Returns the wake-up of the tables with these names. */
    public static PostgresWakeUp of(DataSource dataSource, TableNames names) {
        return new PostgresWakeUp(dataSource, names);
    }

    /**
     * Tells every waiting relay to look now. An error is logged and not thrown: the messages are committed, and relays
     * find them by themselves.
     */
    @Override
    public void signal() {
        // Whoever finds a signal on its way leaves another one to the thread that is sending.
        if (wanted.getAndIncrement() > 0) {
            return;
        }
        int served;
        do {
            served = wanted.get();
            send();
        } while (wanted.addAndGet(-served) > 0);
    }

    @SuppressWarnings("try") // the limit is closed and not used
    private void send() {
        try (Connection connection = dataSource.getConnection();
                NetworkTimeout limit = NetworkTimeout.set(connection, TIMEOUT_SECONDS)) {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(true);
            try (PreparedStatement notify = connection.prepareStatement(NOTIFY)) {
                notify.setQueryTimeout(TIMEOUT_SECONDS);
                notify.setString(1, channel);
                notify.execute();
            }
            connection.setAutoCommit(autoCommit);
            failing = false;
        } catch (SQLException e) {
            if (!failing) {
                log.warn("Could not wake relays; until that works again they find new messages by polling", e);
            }
            failing = true;
        }
    }

    /**
     * {@inheritDoc}
     *
     * @throws dev.postrider.OutboxException if the data source is a pool of one connection
     */
    @Override
    public boolean await(Duration timeout) throws InterruptedException {
        return listener.await(timeout);
    }

    @Override
    public void close() {
        listener.close();
    }
}
