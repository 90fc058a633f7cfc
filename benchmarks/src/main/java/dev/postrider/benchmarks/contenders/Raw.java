package dev.postrider.benchmarks.contenders;

import dev.postrider.benchmarks.contest.arena.Arena;
import dev.postrider.benchmarks.contest.arena.Cargo;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The physical limit: a cursor over an insert-only table, written once per batch. It keeps no state of a message, knows
 * no retry, and loses what commits late.
 */
final class Raw extends InsertTransactions {

    private static final int BATCH = 1_000;
    private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private volatile boolean running;
    private volatile int recorded;
    private volatile @Nullable Exception failure;
    private @Nullable Thread reader;

    Raw(Arena arena) {
        super(arena, 20, "insert into pipe (message_key, payload) values (?, ?)");
    }

    @Override
    public Map<String, String> settings() {
        return Map.of("batch", "1000");
    }

    @Override
    public void install() throws SQLException {
        arena.execute(
                arena.postgres()
                        ? "create table pipe (id bigint generated always as identity primary key,"
                                + " message_key text not null, payload bytea not null)"
                        : "create table pipe (id bigint not null auto_increment primary key,"
                                + " message_key varchar(255) not null, payload blob not null)",
                "create table pipe_cursor (id int primary key, position bigint not null)",
                "insert into pipe_cursor values (1, 0)");
    }

    @Override
    protected void bind(PreparedStatement insert, String key, String payload) throws SQLException {
        insert.setString(1, key);
        insert.setBytes(2, Cargo.bytes(payload));
    }

    @Override
    public void start() {
        running = true;
        recorded = arena.sink().arrivals().distinct();
        reader = new Thread(this::read, "raw");
        reader.start();
    }

    @Override
    public void stop() throws Exception {
        running = false;
        if (reader != null) {
            reader.join();
        }
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public boolean settled() {
        return recorded >= arena.sink().arrivals().distinct();
    }

    private void read() {
        try (Connection connection = pool.getConnection();
                PreparedStatement next = connection.prepareStatement(
                        "select id, message_key, payload from pipe where id > ? order by id limit " + BATCH);
                PreparedStatement move = connection.prepareStatement("update pipe_cursor set position = ?")) {
            long position = Long.parseLong(arena.query("select position from pipe_cursor"));
            while (running) {
                long last = deliver(next, position);
                if (last == position) {
                    LockSupport.parkNanos(IDLE_NANOS);
                } else {
                    position = last;
                    move.setLong(1, position);
                    move.executeUpdate();
                    recorded = arena.sink().arrivals().distinct();
                }
            }
        } catch (Exception e) {
            failure = e;
        }
    }

    private long deliver(PreparedStatement next, long position) throws Exception {
        List<CompletableFuture<Void>> deliveries = new ArrayList<>(BATCH);
        long last = position;
        next.setLong(1, position);
        try (ResultSet rows = next.executeQuery()) {
            while (rows.next()) {
                last = rows.getLong(1);
                deliveries.add(arena.sink().send(rows.getString(2), rows.getBytes(3)));
            }
        }
        for (CompletableFuture<Void> delivery : deliveries) {
            delivery.get();
        }
        return last;
    }
}
