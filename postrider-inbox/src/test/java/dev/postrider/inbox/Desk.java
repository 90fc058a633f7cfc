package dev.postrider.inbox;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.jdbc.JdbcOutbox;
import dev.postrider.jdbc.OutboxSchema;
import dev.postrider.services.Availability;
import dev.postrider.services.Database;
import dev.postrider.services.Database.Kind;
import dev.postrider.services.PreparedDatabases;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Assumptions;

/** A fresh database with the tables of inbox and outbox, and a table for the effects of handlers. */
final class Desk implements AutoCloseable {

    static final String CONSUMER = "billing";

    private static final PreparedDatabases PREPARED = new PreparedDatabases(Desk::prepare);

    private final Database database;
    private final HikariDataSource pool;

    private Desk(Database database, HikariDataSource pool) {
        this.database = database;
        this.pool = pool;
    }

    static Desk open(Kind kind) {
        return open(kind, "TRANSACTION_READ_COMMITTED");
    }

    static Desk open(Kind kind, String isolation) {
        Availability availability = Database.available(kind);
        Assumptions.assumeTrue(availability.available(), availability::reason);
        Database database = PREPARED.take(kind);
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setTransactionIsolation(isolation);
        config.setMaximumPoolSize(12);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(60_000);
        // Otherwise the pool connects once for nothing.
        config.setInitializationFailTimeout(-1);
        return new Desk(database, new HikariDataSource(config));
    }

    private static void prepare(DataSource source) {
        InboxSchema.of(source).migrate();
        OutboxSchema.of(source).migrate();
        execute(
                source,
                "create table effect (message_id varchar(100) not null, consumer varchar(100) not null)",
                "create table stock (id integer not null primary key, amount integer not null)",
                "insert into stock (id, amount) values (1, 0), (2, 0)");
    }

    DataSource pool() {
        return pool;
    }

    Database database() {
        return database;
    }

    Kind kind() {
        return database.kind();
    }

    /** An inbox with an outbox, and with a wait that is long enough for a slow machine. */
    JdbcInbox.Builder inbox() {
        return JdbcInbox.builder(pool).outbox(JdbcOutbox.create()).lockWait(Duration.ofSeconds(60));
    }

    JdbcInboxAdmin admin() {
        return JdbcInboxAdmin.of(pool);
    }

    /** A handler whose effect is a row. */
    static InboxHandler<String> effect(String id) {
        return effect(id, CONSUMER);
    }

    static InboxHandler<String> effect(String id, String consumer) {
        return transaction -> {
            insertEffect(transaction.connection(), id, consumer);
            return "done " + id;
        };
    }

    static void insertEffect(Connection connection, String id, String consumer) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("insert into effect (message_id, consumer) values (?, ?)")) {
            insert.setString(1, id);
            insert.setString(2, consumer);
            insert.executeUpdate();
        }
    }

    void execute(String... statements) {
        execute(pool, statements);
    }

    private static void execute(DataSource source, String... statements) {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(String.join("; ", statements), e);
        }
    }

    long effects() {
        return count("effect");
    }

    long marks() {
        return count("inbox_message");
    }

    long count(String what) {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(*) from " + what)) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(what, e);
        }
    }

    @Override
    public void close() {
        pool.close();
        database.close();
    }
}
