package dev.postrider.benchmarks.contenders;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.benchmarks.contest.arena.Arena;
import dev.postrider.benchmarks.contest.arena.Contender;
import java.sql.Connection;
import java.sql.SQLException;

/** Business transactions in plain JDBC, for contenders that take the caller's connection. */
abstract class PlainTransactions implements Contender {

    protected final Arena arena;
    protected final HikariDataSource pool;

    PlainTransactions(Arena arena, int poolSize) {
        this.arena = arena;
        this.pool = arena.pool(poolSize);
    }

    /** Writes the message on the connection of the transaction. */
    protected abstract void enqueue(Connection connection, int number, String key, String payload) throws Exception;

    /** Commits; for a contender that can do more in the same step. */
    protected void commit(Connection connection) throws SQLException {
        connection.commit();
    }

    /** Called after each commit. */
    protected void committed() {}

    @Override
    public final void transaction(Work work) throws Exception {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            try {
                work.in(new Plain(connection));
                commit(connection);
            } catch (Exception e) {
                connection.rollback();
                throw e;
            } finally {
                connection.setAutoCommit(true);
            }
        }
        committed();
    }

    @Override
    public void close() {
        pool.close();
    }

    private final class Plain implements Transaction {

        private final Connection connection;

        private Plain(Connection connection) {
            this.connection = connection;
        }

        @Override
        public void order(int number) throws Exception {
            Arena.order(connection, number);
        }

        @Override
        public void enqueue(int number, String key, String payload) throws Exception {
            PlainTransactions.this.enqueue(connection, number, key, payload);
        }
    }
}
