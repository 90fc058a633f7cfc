package dev.postrider.consumers;

import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.inbox.InboxException;
import dev.postrider.inbox.InboxListener;
import dev.postrider.inbox.InboxSchema;
import dev.postrider.inbox.InboxTransaction;
import dev.postrider.inbox.JdbcInbox;
import dev.postrider.inbox.JdbcInboxAdmin;
import dev.postrider.inbox.ParkReason;
import dev.postrider.inbox.ReceivedMessage;
import dev.postrider.jdbc.JdbcOutbox;
import dev.postrider.jdbc.OutboxSchema;
import dev.postrider.services.Availability;
import dev.postrider.services.Database;
import dev.postrider.services.Database.Kind;
import dev.postrider.services.PreparedDatabases;
import dev.postrider.services.TcpProxy;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/**
 * A database with the tables of inbox and outbox, a table for the effects of handlers, and what the inbox has reported.
 * Thread-safe.
 */
public final class InboxDatabase implements AutoCloseable, InboxListener {

    /** The name of the consumer. */
    public static final String CONSUMER = "billing";

    private static final PreparedDatabases PREPARED = new PreparedDatabases(InboxDatabase::prepare);
    private static final Duration LOCK_WAIT = Duration.ofSeconds(60);

    private final Database database;
    private final HikariDataSource pool;
    private final AtomicInteger duplicates = new AtomicInteger();
    private final List<InboxException.Reason> failures = new CopyOnWriteArrayList<>();
    private final List<ParkReason> parked = new CopyOnWriteArrayList<>();

    private InboxDatabase(Database database, HikariDataSource pool) {
        this.database = database;
        this.pool = pool;
    }

    /** Returns an empty database, or skips the test where there is none. */
    public static InboxDatabase open(Kind kind) {
        return open(kind, null);
    }

    /** Returns one that is reached through a proxy. */
    public static InboxDatabase open(Kind kind, @Nullable TcpProxy proxy) {
        Availability availability = Database.available(kind);
        Assumptions.assumeTrue(availability.available(), availability::reason);
        Database database = PREPARED.take(kind);
        HikariConfig config = new HikariConfig();
        if (proxy == null) {
            config.setDataSource(database.dataSource());
        } else {
            proxy.forwardTo(database.port());
            config.setJdbcUrl(database.jdbcUrl().replace(":" + database.port() + "/", ":" + proxy.port() + "/"));
            config.setUsername(database.user());
            config.setPassword(database.password());
        }
        config.setMaximumPoolSize(8);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(proxy == null ? 30_000 : 2_000);
        // Otherwise the pool connects once for nothing.
        config.setInitializationFailTimeout(-1);
        return new InboxDatabase(database, new HikariDataSource(config));
    }

    private static void prepare(DataSource source) {
        InboxSchema.of(source).migrate();
        OutboxSchema.of(source).migrate();
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table effect (message_id varchar(100) not null, payload varchar(200) not null)");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Starts an inbox with an outbox, and with a wait that is long enough for a slow machine. */
    public JdbcInbox.Builder inbox() {
        return JdbcInbox.builder(pool)
                .outbox(JdbcOutbox.create())
                .listener(this)
                .lockWait(LOCK_WAIT);
    }

    /** Returns what an operator uses. */
    public JdbcInboxAdmin admin() {
        return JdbcInboxAdmin.of(pool);
    }

    @Override
    public void duplicate(String consumer) {
        duplicates.incrementAndGet();
    }

    @Override
    public void parked(String consumer, ParkReason reason) {
        parked.add(reason);
    }

    @Override
    public void failed(String consumer, InboxException.Reason reason) {
        failures.add(reason);
    }

    /** Returns how many duplicates the inbox has recognised. */
    public int duplicates() {
        return duplicates.get();
    }

    /** Returns why messages were not handled, oldest first. */
    public List<InboxException.Reason> failures() {
        return failures;
    }

    /** Returns why messages were parked, oldest first. */
    public List<ParkReason> parked() {
        return parked;
    }

    /** A handler whose effect is a row. */
    public static void effect(ReceivedMessage message, InboxTransaction transaction) throws SQLException {
        try (PreparedStatement insert =
                transaction.connection().prepareStatement("insert into effect (message_id, payload) values (?, ?)")) {
            insert.setString(1, message.id().orElseThrow());
            insert.setString(2, text(message));
            insert.executeUpdate();
        }
    }

    /** A handler of batches with the same effects. */
    public static void effects(List<ReceivedMessage> messages, InboxTransaction transaction) throws SQLException {
        for (ReceivedMessage message : messages) {
            effect(message, transaction);
        }
    }

    /** Returns the payload as text. */
    public static String text(ReceivedMessage message) {
        return new String(message.payload(), StandardCharsets.UTF_8);
    }

    /** Returns the payloads of the effects, one for each. */
    public List<String> effects() {
        return strings("select payload from effect");
    }

    /** Waits until there are as many effects. */
    public void awaitEffects(int atLeast) {
        await().atMost(Gate.PATIENCE).until(() -> effects().size() >= atLeast);
    }

    /** Returns the first column of a query. */
    public List<String> strings(String query) {
        List<String> found = new ArrayList<>();
        // Not from the pool: the test itself has to see the database while the consumer does not.
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                found.add(rows.getString(1));
            }
            return found;
        } catch (SQLException e) {
            throw new IllegalStateException(query, e);
        }
    }

    @Override
    public void close() {
        pool.close();
        database.close();
    }
}
