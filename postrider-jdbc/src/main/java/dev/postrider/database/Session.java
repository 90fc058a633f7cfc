package dev.postrider.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A connection that knows the text of statements and how long one may take.
 *
 * @param connection where the statements go
 * @param text how they are worded
 * @param timeoutSeconds how long each may take; 0 for as long as it wants
 */
public record Session(Connection connection, SqlText text, int timeoutSeconds) {

    /** Stands for the milliseconds a statement may take, in statements that let the server see to it. */
    public static final String TIME_LIMIT = "{time_limit}";

    /** Returns which database this is. */
    public Dialect dialect() {
        return text.dialect();
    }

    /** Says before questions in a transaction that they must not depend on statistics. */
    public void fixPlan() throws SQLException {
        for (String sql : dialect().fixPlan()) {
            try (PreparedStatement statement = prepare(sql)) {
                statement.execute();
            }
        }
    }

    /** Prepares a statement with its placeholders filled in. */
    public PreparedStatement prepare(String sql) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(text.of(sql));
        if (timeoutSeconds > 0 && !sql.contains(TIME_LIMIT)) {
            statement.setQueryTimeout(timeoutSeconds);
        }
        return statement;
    }

    /** Prepares a statement that ends with a list {@code (?)}, and binds the values before it and in it. */
    public PreparedStatement prepareList(String sql, List<?> before, Collection<?> list) throws SQLException {
        List<Object> values = new ArrayList<>(before);
        values.addAll(Placeholders.padded(List.copyOf(list)));
        PreparedStatement statement = prepare(Placeholders.widen(sql, list.size()));
        bind(statement, values.toArray());
        return statement;
    }

    /** Runs a query and returns what is read of each row, in order. */
    public <T> List<T> list(String sql, RowReader<T> reader, @Nullable Object... values) throws SQLException {
        try (PreparedStatement statement = prepare(sql)) {
            bind(statement, values);
            return read(statement, reader);
        }
    }

    /** Runs a query that ends with a list {@code (?)}; an empty list finds nothing. */
    public <T> List<T> listAll(String sql, List<?> before, Collection<?> list, RowReader<T> reader)
            throws SQLException {
        if (list.isEmpty()) {
            return List.of();
        }
        try (PreparedStatement statement = prepareList(sql, before, list)) {
            return read(statement, reader);
        }
    }

    /** Runs a query and returns what is read of the first row; empty if there is none. */
    public <T> Optional<T> first(String sql, RowReader<T> reader, @Nullable Object... values) throws SQLException {
        try (PreparedStatement statement = prepare(sql)) {
            bind(statement, values);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? Optional.of(reader.read(row)) : Optional.empty();
            }
        }
    }

    /** Runs a query and tells whether it finds a row. */
    public boolean any(String sql, @Nullable Object... values) throws SQLException {
        return first(sql, row -> true, values).isPresent();
    }

    private static <T> List<T> read(PreparedStatement statement, RowReader<T> reader) throws SQLException {
        List<T> all = new ArrayList<>();
        try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                all.add(reader.read(row));
            }
        }
        return all;
    }

    /** Runs an update that ends with a list {@code (?)}; an empty list updates nothing. */
    public int updateAll(String sql, List<?> before, Collection<?> list) throws SQLException {
        if (list.isEmpty()) {
            return 0;
        }
        try (PreparedStatement statement = prepareList(sql, before, list)) {
            return statement.executeUpdate();
        }
    }

    /** Runs an update and returns how many rows it changed. */
    public int update(String sql, @Nullable Object... values) throws SQLException {
        try (PreparedStatement statement = prepare(sql)) {
            bind(statement, values);
            return statement.executeUpdate();
        }
    }

    /**
     * Inserts a row unless its key is taken, and tells whether it did; whoever inserts the same key at the same time
     * waits for the other's outcome. The transaction is usable either way. A duplicate is known by its code: ON
     * DUPLICATE KEY UPDATE would count it as inserted, and IGNORE would cut what is too long.
     */
    public boolean insertOnce(String insert, @Nullable Object... values) throws SQLException {
        boolean skips = dialect() == Dialect.POSTGRESQL;
        try {
            return update(skips ? insert + " on conflict do nothing" : insert, values) == 1;
        } catch (SQLException e) {
            if (!skips && SqlErrors.duplicate(e)) {
                return false;
            }
            throw e;
        }
    }

    /** Binds the values in order. */
    public static void bind(PreparedStatement statement, @Nullable Object... values) throws SQLException {
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
    }
}
