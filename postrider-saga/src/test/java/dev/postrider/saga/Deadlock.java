package dev.postrider.saga;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Another transaction that has changed much and wants, crosswise, what a step has: the step is the victim. */
final class Deadlock implements AutoCloseable {

    private final Connection other;
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private @Nullable Future<?> crossing;
    private boolean victim;

    Deadlock(World world) throws SQLException {
        world.execute(
                "create table pair (id integer primary key, n integer)", "insert into pair values (1, 0), (2, 0)");
        other = world.pool().getConnection();
        other.setAutoCommit(false);
        execute(other, "update pair set n = n + 1 where id = 2");
        for (int i = 0; i < 200; i++) {
            execute(other, "insert into pair values (%d, 0)".formatted(100 + i));
        }
    }

    /** Runs into the deadlock. */
    void meet(Connection step) throws SQLException {
        if (crossing == null) {
            execute(step, "update pair set n = n + 1 where id = 1");
            crossing = thread.submit(() -> {
                execute(other, "update pair set n = n + 1 where id = 1");
                other.rollback();
                return null;
            });
        }
        execute(step, "update pair set n = n + 1 where id = 2");
    }

    /** Runs into the deadlock and overlooks it. */
    void swallow(Connection step) throws SQLException {
        try {
            meet(step);
        } catch (SQLException e) {
            victim = e.getErrorCode() == 1213;
        }
    }

    boolean wasVictim() {
        return victim;
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() throws SQLException {
        thread.shutdown();
        other.rollback();
        other.close();
    }
}
