package dev.postrider.e2e;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.jdbc.OutboxSchema;
import dev.postrider.services.Availability;
import dev.postrider.services.Database;
import dev.postrider.services.Database.Kind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** A database with the outbox tables, and what a test wants to read in them. Thread-safe. */
final class Stage implements AutoCloseable {

    /**
     * A row at the end of a test.
     *
     * @param status 0 PENDING, 1 CLAIMED, 2 DELIVERED, 3 DEAD
     */
    record Row(int status, int attempts) {

        static final int DELIVERED = 2;
        static final int DEAD = 3;
    }

    private final Database database;
    private final HikariDataSource pool;

    private Stage(Database database) {
        this.database = database;
        this.pool = pool(database, 8);
        OutboxSchema.of(pool).create();
    }

    /** Sets up an empty outbox on the shared server, or skips the test with the reason. */
    static Stage shared(Kind kind) {
        assume(kind);
        return new Stage(Database.shared(kind).freshDatabase());
    }

    /** Sets up an empty outbox on a server that may be killed. */
    static Stage own(Kind kind) {
        assume(kind);
        return new Stage(Database.start(kind));
    }

    private static void assume(Kind kind) {
        Availability availability = Database.available(kind);
        assumeTrue(availability.available(), availability.reason());
    }

    private static HikariDataSource pool(Database database, int size) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl());
        config.setUsername(database.user());
        config.setPassword(database.password());
        config.setMaximumPoolSize(size);
        config.setConnectionTimeout(10_000);
        return new HikariDataSource(config);
    }

    Database database() {
        return database;
    }

    HikariDataSource pool() {
        return pool;
    }

    /** Returns the shards this relay owns in the table. */
    Set<Integer> shardsOf(String relay) {
        Set<Integer> shards = new TreeSet<>();
        query("select shard from outbox_shard where owner = ?", row -> shards.add(row.getInt(1)), relay);
        return shards;
    }

    /** Returns until when the relay lives by its last heartbeat, or nothing if it has left. */
    Optional<String> heartbeat(String relay) {
        List<String> until = new ArrayList<>();
        query("select until from outbox_relay where id = ?", row -> until.add(row.getString(1)), relay);
        return until.stream().findFirst();
    }

    /** Returns how many shards every owner has. */
    Map<String, Integer> owners() {
        Map<String, Integer> owners = new HashMap<>();
        query(
                "select owner, count(*) from outbox_shard where owner is not null group by owner",
                row -> owners.put(row.getString(1), row.getInt(2)));
        return owners;
    }

    /** Returns how many rows are neither DELIVERED nor DEAD. */
    long unfinished() {
        return number("select count(*) from outbox_message where status < 2");
    }

    long delivered() {
        return number("select count(*) from outbox_message where status = 2");
    }

    long lastSeq() {
        return number("select coalesce(max(seq), 0) from outbox_message");
    }

    /** Returns the errors of the dead messages. */
    List<String> causesOfDeath() {
        List<String> errors = new ArrayList<>();
        query("select last_error from outbox_message where status = 3", row -> errors.add(row.getString(1)));
        return errors;
    }

    private long number(String sql) {
        long[] number = {0};
        query(sql, row -> number[0] = row.getLong(1));
        return number[0];
    }

    Map<Long, Row> rows() {
        Map<Long, Row> rows = new HashMap<>();
        query(
                "select seq, status, attempts from outbox_message",
                row -> rows.put(row.getLong(1), new Row(row.getInt(2), row.getInt(3))));
        return rows;
    }

    @FunctionalInterface
    private interface RowReader {
        void read(ResultSet row) throws SQLException;
    }

    // On a connection of its own: the pool hands out those of a killed server until it has noticed.
    private void query(String sql, RowReader reader, String... values) {
        try (Connection connection = database.dataSource().getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setString(i + 1, values[i]);
            }
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    reader.read(rows);
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException("Could not read the tables", e);
        }
    }

    @Override
    public void close() {
        pool.close();
        database.close();
    }
}
