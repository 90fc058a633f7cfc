package dev.postrider.jdbc;

import dev.postrider.database.Session;
import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Statements that PostgreSQL gets in one round trip and runs in one transaction, which commits without another word
 * from the client. Each but the first sees what was committed when it begins.
 */
final class Pipeline {

    private final Session session;
    private final StringBuilder sql = new StringBuilder();
    private final List<@Nullable Object> values = new ArrayList<>();

    Pipeline(Session session, String settings) {
        this.session = session;
        sql.append(settings.stripTrailing());
    }

    /** Adds a statement and its values. */
    void add(NamedSql statement, Map<String, @Nullable Object> parameters) {
        sql.append(sql.charAt(sql.length() - 1) == ';' ? "\n" : ";\n")
                .append(statement.text().strip());
        values.addAll(statement.inOrder(parameters));
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
        try (PreparedStatement statement = session.prepare(sql.toString())) {
            Session.bind(statement, values.toArray());
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
}
