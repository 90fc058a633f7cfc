package dev.postrider.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.services.Database;
import dev.postrider.services.Database.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
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

    /** Empties the outbox and forgets every relay. */
    void reset() {
        execute(
                "delete from outbox_message",
                "delete from outbox_relay",
                "update outbox_shard set owner = null, epoch = 0, low_seq = 0");
    }

    @Override
    public void close() {
        pool.close();
        database.close();
    }
}
