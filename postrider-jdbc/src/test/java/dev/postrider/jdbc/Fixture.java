package dev.postrider.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.database.Dialect;
import dev.postrider.services.Database;
import dev.postrider.services.Database.Kind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import javax.sql.DataSource;

/** A fresh database with the outbox tables and a pool. */
final class Fixture implements AutoCloseable {

    private final Database database;
    private final HikariDataSource pool;

    private Fixture(Database database, HikariDataSource pool) {
        this.database = database;
        this.pool = pool;
    }

    static Fixture create(Kind kind) {
        return create(kind, "TRANSACTION_READ_COMMITTED");
    }

    static Fixture create(Kind kind, String isolation) {
        Fixture fixture = withoutTables(kind, isolation);
        OutboxSchema.of(fixture.pool).migrate();
        return fixture;
    }

    static Fixture withoutTables(Kind kind, String isolation) {
        Database database = Database.shared(kind).freshDatabase();
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setTransactionIsolation(isolation);
        config.setMaximumPoolSize(12);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(20_000);
        return new Fixture(database, new HikariDataSource(config));
    }

    Database database() {
        return database;
    }

    DataSource pool() {
        return pool;
    }

    /** Connections as the database hands them out. */
    DataSource producers() {
        return database.dataSource();
    }

    void execute(String... statements) {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(String.join("; ", statements), e);
        }
    }

    /** Changes the type of a message behind everybody's back. */
    void damage(UUID id) {
        update("update outbox_message set type = concat(type, '!') where id = ?", id);
    }

    /** Undoes {@link #damage}. */
    void repair(UUID id) {
        update("update outbox_message set type = substring(type, 1, char_length(type) - 1) where id = ?", id);
    }

    /** Runs an update whose last parameter is the id of the one message it changes. */
    void update(String sql, Object... values) {
        try (Connection connection = database.dataSource().getConnection();
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
    void reset() {
        if (database.kind() == Kind.POSTGRES_15 || database.kind() == Kind.POSTGRES_18) {
            execute("delete from outbox_claim");
        }
        execute(
                "delete from outbox_message",
                "delete from outbox_attempt",
                "delete from outbox_relay",
                "update outbox_shard set owner = null, epoch = 0, low_seq = 0");
    }

    @Override
    public void close() {
        pool.close();
        database.close();
    }
}
