package dev.postrider.saga.testkit;

import dev.postrider.database.Dialect;
import dev.postrider.database.TableNames;
import dev.postrider.saga.Direction;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What the tables say, whatever the engine believes; and how time passes for a saga. */
final class Evidence {

    private static final String MARKS = """
            create table if not exists saga_test_mark (
                saga_id varchar(36) not null, step varchar(100) not null, direction varchar(20) not null)
            """;
    private static final String MARK = "insert into saga_test_mark (saga_id, step, direction) values (?, ?, ?)";
    private static final String COUNT =
            "select step, direction, count(*) from saga_test_mark where saga_id = ?" + " group by step, direction";
    private static final String MESSAGES = "select id from {message}";
    private static final String LOCK = "select saga_id from {instance} where saga_id = ? for update skip locked";
    private static final String NOW = "select {now} as now_at from {instance} where saga_id = ?";
    private static final String TIMERS = """
            select wake_at, claimed_until, deadline_at from {instance} where saga_id = ?
            """;
    private static final String SET_TIMERS = """
            update {instance} set wake_at = ?, claimed_until = ?, deadline_at = ? where saga_id = ?
            """;
    private static final String STARTED = "select step, direction, started_at from {step} where saga_id = ?";
    private static final String SET_STARTED =
            "update {step} set started_at = ? where saga_id = ? and step = ? and direction = ?";

    private static final TableNames SAGA = TableNames.of("saga_");

    private final DataSource dataSource;

    Evidence(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    void prepare() {
        in(connection -> {
            try (Statement statement = connection.createStatement()) {
                return statement.execute(MARKS);
            }
        });
    }

    /** Leaves a mark in the transaction of a step: there is one if, and only if, the transaction commits. */
    static void mark(Connection connection, UUID saga, String step, Direction direction) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(MARK)) {
            statement.setString(1, saga.toString());
            statement.setString(2, step);
            statement.setString(3, direction.name());
            statement.executeUpdate();
        }
    }

    /** Returns how often the transaction of each function was committed. */
    Map<String, Integer> marks(UUID saga) {
        return in(connection -> {
            Map<String, Integer> marks = new TreeMap<>();
            try (PreparedStatement statement = connection.prepareStatement(COUNT)) {
                statement.setString(1, saga.toString());
                try (ResultSet row = statement.executeQuery()) {
                    while (row.next()) {
                        Direction direction = Direction.valueOf(row.getString(2));
                        marks.put(Label.of(row.getString(1), direction), row.getInt(3));
                    }
                }
            }
            return marks;
        });
    }

    /** Returns the ids of all messages in the outbox. */
    Set<UUID> messages() {
        return in(connection -> {
            Dialect dialect = Dialect.of(connection);
            Set<UUID> ids = new HashSet<>();
            try (PreparedStatement statement =
                            connection.prepareStatement(TableNames.defaults().in(MESSAGES));
                    ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    ids.add(dialect.id(row, "id"));
                }
            }
            return ids;
        });
    }

    /** Whether no transaction holds the saga. */
    boolean isFree(UUID saga) {
        return in(connection -> one(connection, LOCK, saga, row -> true) != null);
    }

    Instant now(UUID saga) {
        return in(connection -> {
            Dialect dialect = Dialect.of(connection);
            return Objects.requireNonNull(
                    one(connection, dialect.in(NOW), saga, row -> dialect.time(row, "now_at")), "no such saga");
        });
    }

    /**
     * Lets time pass for one saga: all its timers are moved into the past alike, which is what they would say if they
     * were read so much later.
     */
    void pass(UUID saga, Duration time) {
        in(connection -> {
            Dialect dialect = Dialect.of(connection);
            Earlier earlier = new Earlier(dialect, time);
            connection.setAutoCommit(false);
            Object[] timers = Objects.requireNonNull(one(connection, TIMERS, saga, row -> new Object[] {
                earlier.of(row, "wake_at"), earlier.of(row, "claimed_until"), earlier.of(row, "deadline_at")
            }));
            update(connection, SET_TIMERS, timers[0], timers[1], timers[2], saga.toString());
            moveJournal(connection, saga, earlier);
            connection.commit();
            connection.setAutoCommit(true);
            return saga;
        });
    }

    private static void moveJournal(Connection connection, UUID saga, Earlier earlier) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(SAGA.in(STARTED))) {
            statement.setString(1, saga.toString());
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    update(
                            connection,
                            SET_STARTED,
                            earlier.of(row, "started_at"),
                            saga.toString(),
                            row.getString("step"),
                            row.getString("direction"));
                }
            }
        }
    }

    private static void update(Connection connection, String sql, @Nullable Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(SAGA.in(sql))) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            statement.executeUpdate();
        }
    }

    private static <T> @Nullable T one(Connection connection, String sql, UUID saga, Read<T> read) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(SAGA.in(sql))) {
            statement.setString(1, saga.toString());
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? read.from(row) : null;
            }
        }
    }

    private <T> T in(Use<T> use) {
        try (Connection connection = dataSource.getConnection()) {
            return use.of(connection);
        } catch (SQLException e) {
            throw new IllegalStateException("SagaTest could not use the database: " + e.getMessage(), e);
        }
    }

    private record Earlier(Dialect dialect, Duration time) {

        @Nullable Object of(ResultSet row, String column) throws SQLException {
            Instant at = dialect.time(row, column);
            return at == null ? null : dialect.time(at.minus(time));
        }
    }

    @FunctionalInterface
    private interface Use<T> {

        T of(Connection connection) throws SQLException;
    }

    @FunctionalInterface
    private interface Read<T> {

        @Nullable T from(ResultSet row) throws SQLException;
    }
}
