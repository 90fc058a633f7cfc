package dev.postrider.jdbc;

import dev.postrider.database.Session;
import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Statements that PostgreSQL gets in one round trip and runs in one transaction, which commits without another word
 * from the client. Each but the first sees what was committed when it begins.
 */
final class Pipeline {

    private final Session session;
    private final StringBuilder sql = new StringBuilder();
    private final List<Object> values = new ArrayList<>();

    Pipeline(Session session, String settings) {
        this.session = session;
        sql.append(settings);
    }

    /** Adds a statement and its values. */
    Pipeline add(String statement, Object... parameters) {
        if (!sql.isEmpty() && sql.charAt(sql.length() - 1) != '\n') {
            sql.append(";\n");
        }
        sql.append(statement.strip());
        values.addAll(List.of(parameters));
        return this;
    }

    <T> Array array(String type, List<T> rows, Function<T, ?> column) throws SQLException {
        Object[] elements = new Object[rows.size()];
        for (int i = 0; i < elements.length; i++) {
            elements[i] = column.apply(rows.get(i));
        }
        return session.connection().createArrayOf(type, elements);
    }

    /** Runs everything and returns how many rows each changing statement changed. */
    List<Integer> counts() throws SQLException {
        try (PreparedStatement statement = prepared()) {
            List<Integer> counts = new ArrayList<>();
            boolean rows = statement.execute();
            while (rows || statement.getUpdateCount() >= 0) {
                if (!rows) {
                    counts.add(statement.getUpdateCount());
                }
                rows = statement.getMoreResults();
            }
            return counts;
        }
    }

    private PreparedStatement prepared() throws SQLException {
        PreparedStatement statement = session.prepare(sql.toString());
        Session.bind(statement, values.toArray());
        return statement;
    }
}
