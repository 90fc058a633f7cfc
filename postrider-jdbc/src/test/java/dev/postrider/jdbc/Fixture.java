package dev.postrider.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.OutboxMessage;
import dev.postrider.admin.StoredMessage;
import dev.postrider.database.Dialect;
import dev.postrider.jdbc.operator.JdbcOutboxAdmin;
import dev.postrider.services.Database;
import dev.postrider.services.Database.Kind;
import dev.postrider.services.PreparedDatabases;
import dev.postrider.testkit.OutboxTransaction;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/** A fresh database with the outbox tables and a pool. */
public final class Fixture implements AutoCloseable {

    private static final PreparedDatabases WITH_TABLES =
            new PreparedDatabases(source -> OutboxSchema.of(source).migrate());

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Database database;
    private final HikariDataSource pool;
    private final HikariDataSource producers;

    private Fixture(Database database, String isolation) {
        this.database = database;
        HikariConfig config = config(database);
        config.setTransactionIsolation(isolation);
        this.pool = new HikariDataSource(config);
        this.producers = new HikariDataSource(config(database));
    }

    public static Fixture create(Kind kind) {
        return create(kind, "TRANSACTION_READ_COMMITTED");
    }

    public static Fixture create(Kind kind, String isolation) {
        return new Fixture(WITH_TABLES.take(kind), isolation);
    }

    /** A database nobody used before: the first statistics, and no page that was ever written. */
    public static Fixture createNew(Kind kind) {
        Fixture fixture = withoutTables(kind, "TRANSACTION_READ_COMMITTED");
        OutboxSchema.of(fixture.pool).migrate();
        return fixture;
    }

    public static Fixture withoutTables(Kind kind, String isolation) {
        return new Fixture(Database.shared(kind).freshDatabase(), isolation);
    }

    private static HikariConfig config(Database database) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(12);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(PATIENCE.toMillis());
        // Otherwise the pool connects once for nothing.
        config.setInitializationFailTimeout(-1);
        return config;
    }

    public Database database() {
        return database;
    }

    public DataSource pool() {
        return pool;
    }

    /** Connections with the isolation level the database itself hands out. */
    public DataSource producers() {
        return producers;
    }

    /** Makes a pool of another user of this database. */
    public HikariDataSource poolOf(String user, String password) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl());
        config.setUsername(user);
        config.setPassword(password);
        config.setMaximumPoolSize(2);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(PATIENCE.toMillis());
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }

    public void execute(String... statements) {
        try (Connection connection = producers.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(String.join("; ", statements), e);
        }
    }

    /** Enqueues so many messages, each of a key of its own. */
    public List<OutboxMessage> enqueue(int count) {
        OutboxMessage[] messages = IntStream.range(0, count)
                .mapToObj(i -> OutboxMessage.to("orders", "Placed").key("k" + i).build())
                .toArray(OutboxMessage[]::new);
        enqueue(messages);
        return List.of(messages);
    }

    public void enqueue(OutboxMessage... messages) {
        try (OutboxTransaction transaction = JdbcTransaction.begin(producers, JdbcOutbox.create())) {
            transaction.outbox().enqueueAll(List.of(messages));
            transaction.commit();
        }
    }

    public StoredMessage stored(OutboxMessage message) {
        return JdbcOutboxAdmin.of(pool).find(message.id()).orElseThrow();
    }

    /** Returns the number that a query returns in its only row. */
    public long number(String query) {
        try (Connection connection = producers.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(query, e);
        }
    }

    /** Changes the type of a message behind everybody's back. */
    public void damage(UUID id) {
        update("update outbox_message set type = concat(type, '!') where id = ?", id);
    }

    /** Undoes {@link #damage}. */
    public void repair(UUID id) {
        update("update outbox_message set type = substring(type, 1, char_length(type) - 1) where id = ?", id);
    }

    /** Runs an update whose last parameter is the id of the one message it changes. */
    public void update(String sql, Object... values) {
        try (Connection connection = producers.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                boolean id = values[i] instanceof UUID;
                statement.setObject(i + 1, id ? Dialect.of(connection).id((UUID) values[i]) : values[i]);
            }
            assertThat(statement.executeUpdate()).as(sql).isEqualTo(1);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /** Empties the outbox and forgets every relay. */
    public void reset() {
        execute(
                "delete from outbox_claim",
                "delete from outbox_message",
                "delete from outbox_attempt",
                "delete from outbox_relay",
                "delete from outbox_control",
                "update outbox_shard set owner = null, epoch = 0, low_seq = 0");
    }

    @Override
    public void close() {
        pool.close();
        producers.close();
        database.close();
    }
}
