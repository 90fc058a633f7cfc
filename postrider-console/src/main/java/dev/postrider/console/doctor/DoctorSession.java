package dev.postrider.console.doctor;

import dev.postrider.database.Dialect;
import dev.postrider.database.NetworkTimeout;
import dev.postrider.database.TableNames;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A connection for the questions of checks: each answer is short and comes within seconds. Not thread-safe. */
final class DoctorSession implements AutoCloseable {

    static final int SECONDS = 3;
    private static final int MOST_ROWS = 1_000;

    private final Connection connection;
    private final NetworkTimeout limit;
    private final Dialect dialect;
    private final TableNames names;

    private DoctorSession(Connection connection, NetworkTimeout limit, TableNames names) throws SQLException {
        this.connection = connection;
        this.limit = limit;
        this.names = names;
        this.dialect = Dialect.of(connection);
    }

    static DoctorSession open(DataSource dataSource, TableNames names) throws SQLException {
        Connection connection = dataSource.getConnection();
        NetworkTimeout limit = NetworkTimeout.set(connection, SECONDS);
        try {
            return new DoctorSession(connection, limit, names);
        } catch (SQLException | RuntimeException e) {
            limit.close();
            connection.close();
            throw e;
        }
    }

    Dialect dialect() {
        return dialect;
    }

    TableNames names() {
        return names;
    }

    Connection connection() {
        return connection;
    }

    /** Returns the first column of the first row. */
    Optional<String> value(String sql, @Nullable Object... values) throws SQLException {
        return rows(sql, values).stream()
                .findFirst()
                .flatMap(row -> row.values().stream().findFirst())
                .filter(text -> !text.isEmpty());
    }

    /** Returns rows with the lower-case names of their columns; null is the empty text. */
    List<Map<String, String>> rows(String sql, @Nullable Object... values) throws SQLException {
        try (PreparedStatement statement = prepared(sql)) {
            statement.setMaxRows(MOST_ROWS);
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            try (ResultSet rows = statement.executeQuery()) {
                return read(rows);
            }
        }
    }

    /** Runs a statement that changes no row. */
    void run(String sql) throws SQLException {
        try (PreparedStatement statement = prepared(sql)) {
            statement.execute();
        }
    }

    // H2 would keep the limit for the whole connection.
    private PreparedStatement prepared(String sql) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(names.in(sql));
        if (dialect.limitsStatements()) {
            statement.setQueryTimeout(SECONDS);
        }
        return statement;
    }

    private static List<Map<String, String>> read(ResultSet rows) throws SQLException {
        ResultSetMetaData columns = rows.getMetaData();
        List<Map<String, String>> all = new ArrayList<>();
        while (rows.next()) {
            Map<String, String> row = new LinkedHashMap<>();
            for (int i = 1; i <= columns.getColumnCount(); i++) {
                String text = rows.getString(i);
                row.put(columns.getColumnLabel(i).toLowerCase(Locale.ROOT), text == null ? "" : text);
            }
            all.add(row);
        }
        return all;
    }

    @Override
    public void close() throws SQLException {
        limit.close();
        connection.close();
    }
}
