package dev.postrider.benchmarks.contest.arena;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** Fills Postrider's table with other rows, in one statement of the database. PostgreSQL only. */
public final class Crowd implements AutoCloseable {

    private static final String INSERT = """
            insert into outbox_message (id, topic, message_key, shard, type, status, attempts, due_at, delivered_at,
                                        content_hash, payload)
            select gen_random_uuid(), 'orders', 'key-' || (g %% 1000),
                   crc32(convert_to('key-' || (g %% 1000), 'UTF8')) %% 64, 'OrderPlaced', %s,
                   sha256('|OrderPlaced|'::bytea || payload), payload
              from generate_series(1, %d) g,
                   lateral (select convert_to('{"seq":' || lpad((g + %d)::text, 10, '0') || rpad(',"a":"', 281, 'x') || '"}',
                                              'UTF8') as payload) p
            """;

    private final Arena arena;
    private final CrowdKind kind;
    private final int rows;
    private @Nullable Connection snapshot;

    public Crowd(Arena arena, CrowdKind kind, int rows) {
        this.arena = arena;
        this.kind = kind;
        this.rows = rows;
    }

    /** Puts the rows ahead of the messages that are measured. */
    public void ahead() throws SQLException {
        switch (kind) {
            case DELIVERED -> insert("2, 1, null, now()", 0);
            case WAITING -> insert("0, 1, now() + interval '1 day', null", 0);
            default -> {}
        }
    }

    /** Puts the rows behind the messages that are measured, or holds the snapshot of what is there. */
    public void behind(int messages) throws SQLException {
        switch (kind) {
            case PENDING -> insert("0, 0, null, null", messages);
            case SNAPSHOT -> snapshot = hold();
            default -> {}
        }
    }

    private void insert(String state, int numbersFrom) throws SQLException {
        arena.execute(INSERT.formatted(state, rows, numbersFrom));
    }

    private Connection hold() throws SQLException {
        Connection connection = DriverManager.getConnection(arena.url(), arena.user(), arena.password());
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("create temporary table held (a int)");
            statement.execute("select count(*) from outbox_message where seq < 10");
        }
        return connection;
    }

    @Override
    public void close() throws SQLException {
        if (snapshot != null) {
            snapshot.close();
        }
    }
}
