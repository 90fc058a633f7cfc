package dev.postrider.e2e;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.OutboxMessage;
import dev.postrider.inbox.InboxSchema;
import dev.postrider.jdbc.OutboxSchema;
import dev.postrider.saga.SagaSchema;
import dev.postrider.services.Availability;
import dev.postrider.services.Database;
import dev.postrider.services.Database.Kind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * A database with all tables, and one in which handlers and steps leave their effects: nothing there keeps an effect
 * from being written twice. Thread-safe.
 */
final class Ledger implements AutoCloseable {

    private static final String EFFECTS = "effects";

    private final Database database;
    private final HikariDataSource pool;

    private Ledger(Database database) {
        this.database = database;
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl());
        config.setUsername(database.user());
        config.setPassword(database.password());
        config.setMaximumPoolSize(12);
        config.setMinimumIdle(0);
        this.pool = new HikariDataSource(config);
        OutboxSchema.of(pool).create();
        InboxSchema.of(pool).create();
        SagaSchema.of(pool).create();
        execute("create table effect (owner varchar(150) not null, what varchar(100) not null)");
    }

    /** Makes the tables in a fresh database on the shared server, or skips the test with the reason. */
    static Ledger create(Kind kind) {
        Availability availability = Database.available(kind);
        assumeTrue(availability.available(), availability.reason());
        return new Ledger(Database.shared(kind).freshDatabase());
    }

    Database database() {
        return database;
    }

    DataSource pool() {
        return pool;
    }

    /** Leaves an effect in the transaction that is open on the connection. */
    static void leave(Connection connection, String owner, String what) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("insert into effect (owner, what) values (?, ?)")) {
            insert.setString(1, owner);
            insert.setString(2, what);
            insert.executeUpdate();
        }
    }

    static boolean isThere(Connection connection, String owner, String what) throws SQLException {
        try (PreparedStatement select =
                connection.prepareStatement("select 1 from effect where owner = ? and what = ?")) {
            select.setString(1, owner);
            select.setString(2, what);
            try (ResultSet row = select.executeQuery()) {
                return row.next();
            }
        }
    }

    /** Returns the message that goes with an effect. */
    static OutboxMessage message(String owner, String what) {
        return OutboxMessage.to(EFFECTS, what).key(owner).payload("{}").build();
    }

    /** Returns what was done for this owner, each as often as it was done. */
    List<String> effects(String owner) {
        return strings("select what from effect where owner = ? order by what", owner);
    }

    /** Returns the types of the messages with this owner as their key. */
    List<String> messages(String owner) {
        return strings("select type from outbox_message where message_key = ? order by type", owner);
    }

    /** Returns the first column. */
    List<String> strings(String sql, String... values) {
        List<String> all = new ArrayList<>();
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setString(i + 1, values[i]);
            }
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    all.add(row.getString(1));
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException("Could not read the tables", e);
        }
        return all;
    }

    void execute(String sql) {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.execute();
        } catch (SQLException e) {
            throw new IllegalStateException("Could not change the tables", e);
        }
    }

    @Override
    public void close() {
        pool.close();
        database.close();
    }
}
