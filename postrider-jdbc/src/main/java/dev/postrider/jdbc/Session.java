package dev.postrider.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A borrowed connection that knows the text of statements and how long one may take. */
record Session(Connection connection, SqlText text, int timeoutSeconds) {

    Dialect dialect() {
        return text.dialect();
    }

    /** Says before questions in a transaction that they must not depend on statistics. */
    void fixPlan() throws SQLException {
        for (String sql : dialect().fixPlan()) {
            try (PreparedStatement statement = prepare(sql)) {
                statement.execute();
            }
        }
    }

    PreparedStatement prepare(String sql) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(text.of(sql));
        if (timeoutSeconds > 0) {
            statement.setQueryTimeout(timeoutSeconds);
        }
        return statement;
    }

    /** Prepares a statement that ends with a list {@code (?)}, and binds the values before it and in it. */
    PreparedStatement prepareList(String sql, List<?> before, Collection<?> list) throws SQLException {
        List<Object> values = new ArrayList<>(before);
        values.addAll(Placeholders.padded(List.copyOf(list)));
        PreparedStatement statement = prepare(Placeholders.widen(sql, list.size()));
        bind(statement, values.toArray());
        return statement;
    }

    /** Runs an update that ends with a list {@code (?)}; an empty list updates nothing. */
    int updateAll(String sql, List<?> before, Collection<?> list) throws SQLException {
        if (list.isEmpty()) {
            return 0;
        }
        try (PreparedStatement statement = prepareList(sql, before, list)) {
            return statement.executeUpdate();
        }
    }

    int update(String sql, @Nullable Object... values) throws SQLException {
        try (PreparedStatement statement = prepare(sql)) {
            bind(statement, values);
            return statement.executeUpdate();
        }
    }

    static void bind(PreparedStatement statement, @Nullable Object... values) throws SQLException {
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
    }
}
