package dev.postrider.kafka;

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
import org.junit.jupiter.api.Assumptions;

/** A fresh database with the tables of inbox and outbox, a table for the effects of handlers, and what was counted. */
final class Desk implements AutoCloseable, InboxListener {

    static final String CONSUMER = "billing";

    private final Database database;
    private final HikariDataSource pool;
    final AtomicInteger duplicates = new AtomicInteger();
    final AtomicInteger failures = new AtomicInteger();
    final List<ParkReason> parked = new CopyOnWriteArrayList<>();

    private Desk(Database database) {
        this.database = database;
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(8);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(30_000);
        this.pool = new HikariDataSource(config);
    }

    static Desk open(Kind kind) {
        Availability availability = Database.available(kind);
        Assumptions.assumeTrue(availability.available(), availability::reason);
        Desk desk = new Desk(Database.shared(kind).freshDatabase());
        InboxSchema.of(desk.pool).migrate();
        OutboxSchema.of(desk.pool).migrate();
        desk.execute("create table effect (message_id varchar(100) not null, payload varchar(200) not null)");
        return desk;
    }

    JdbcInbox.Builder inbox() {
        return JdbcInbox.builder(pool)
                .outbox(JdbcOutbox.create())
                .listener(this)
                .lockWait(Duration.ofSeconds(60));
    }

    JdbcInboxAdmin admin() {
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
        failures.incrementAndGet();
    }

    /** A handler whose effect is a row. */
    static void effect(ReceivedMessage message, InboxTransaction transaction) throws SQLException {
        try (PreparedStatement insert =
                transaction.connection().prepareStatement("insert into effect (message_id, payload) values (?, ?)")) {
            insert.setString(1, message.id().orElseThrow());
            insert.setString(2, text(message));
            insert.executeUpdate();
        }
    }

    static void effects(List<ReceivedMessage> messages, InboxTransaction transaction) throws SQLException {
        for (ReceivedMessage message : messages) {
            effect(message, transaction);
        }
    }

    static String text(ReceivedMessage message) {
        return new String(message.payload(), StandardCharsets.UTF_8);
    }

    /** The payloads of the effects, one for each. */
    List<String> effects() {
        return strings("select payload from effect");
    }

    List<String> strings(String query) {
        List<String> found = new ArrayList<>();
        try (Connection connection = pool.getConnection();
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

    private void execute(String sql) {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    @Override
    public void close() {
        pool.close();
        database.close();
    }
}
