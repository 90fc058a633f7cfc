package dev.postrider.verification.volume;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.jdbc.OutboxSchema;
import dev.postrider.services.Database;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** An outbox in a database of its own. */
final class Table implements AutoCloseable {

    private static final int STEP = 100_000;

    private final Database database;
    private final HikariDataSource pool;
    private final Filling filling;
    private final Consumer<String> progress;

    Table(Database server, Consumer<String> progress) {
        this.database = server.freshDatabase();
        this.pool = pool(8);
        this.filling = Filling.of(database.kind());
        this.progress = progress;
        OutboxSchema.of(pool).migrate();
    }

    private HikariDataSource pool(int size) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(size);
        return new HikariDataSource(config);
    }

    DataSource pool() {
        return pool;
    }

    /** A pool for somebody who must not wait for the others, as a relay should have it. */
    HikariDataSource ownPool() {
        return pool(4);
    }

    void progress(String text) {
        progress.accept("%s: %s".formatted(database.kind(), text));
    }

    Filling filling() {
        return filling;
    }

    /** Adds delivered and dead messages, well mixed. */
    void fill(int delivered, int dead) throws SQLException {
        int steps = Math.max(1, (delivered + dead) / STEP);
        for (int i = 1; i <= steps; i++) {
            run(filling.delivered(share(delivered, i, steps)));
            if (dead > 0) {
                run(filling.dead("requeued", share(dead, i, steps)));
            }
            progress("filled %d of %d".formatted(i, steps));
        }
        run(filling.analyze);
    }

    private static int share(int all, int step, int steps) {
        return (int) ((long) all * step / steps - (long) all * (step - 1) / steps);
    }

    void run(String sql) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    long number(String sql) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            return row.next() ? row.getLong(1) : 0;
        }
    }

    long count(String condition) throws SQLException {
        return number("select count(*) from outbox_message where " + condition);
    }

    /** How many transactions the server has ended because of a deadlock. */
    long deadlocks() throws SQLException {
        return number(filling.deadlocks);
    }

    /** Tells what the server knows of its last deadlock, if there was one since the count was {@code before}. */
    long deadlocksSince(long before) throws SQLException {
        long now = deadlocks();
        if (now > before && filling == Filling.MARIADB) {
            try (Connection connection = database.dataSource().getConnection();
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("show engine innodb status")) {
                row.next();
                String status = row.getString(3);
                int from = Math.max(0, status.indexOf("LATEST DETECTED DEADLOCK"));
                int end = status.indexOf("\nTRANSACTIONS", from);
                progress(status.substring(from, end < 0 ? status.length() : end));
            }
        }
        return now - before;
    }

    @Override
    public void close() {
        pool.close();
        database.close();
    }
}
