package dev.postrider.services;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/** The definitions and rows of a database at one moment, and the way back to them. */
final class Snapshot {

    private static final Duration SESSIONS_END = Duration.ofSeconds(5);

    private final Catalog catalog;
    private final String definitions;
    private final Map<String, List<List<Object>>> rows;

    private Snapshot(Catalog catalog, String definitions, Map<String, List<List<Object>>> rows) {
        this.catalog = catalog;
        this.definitions = definitions;
        this.rows = rows;
    }

    static Snapshot take(Connection connection) throws SQLException {
        Catalog catalog = Catalog.of(connection);
        Map<String, List<List<Object>>> rows = new LinkedHashMap<>();
        Catalog.State state = catalog.state(connection);
        for (String table : state.used()) {
            rows.put(table, rows(connection, table));
        }
        return new Snapshot(catalog, state.definitions(), rows);
    }

    /**
     * Brings the rows and counters back. Returns false, with the database in any state, if another session is still
     * open or if the definitions have changed.
     */
    boolean restore(Connection connection) throws SQLException {
        if (!alone(connection)) {
            return false;
        }
        Catalog.State state = catalog.state(connection);
        if (!state.definitions().equals(definitions)) {
            return false;
        }
        Set<String> changed = new LinkedHashSet<>(state.used());
        changed.addAll(rows.keySet());
        for (Map.Entry<String, List<List<Object>>> first : rows.entrySet()) {
            if (rows(connection, first.getKey()).equals(first.getValue())) {
                changed.remove(first.getKey());
            }
        }
        if (!changed.isEmpty()) {
            catalog.empty(connection, List.copyOf(changed));
        }
        for (String table : changed) {
            insert(connection, table, rows.getOrDefault(table, List.of()));
        }
        return true;
    }

    // The server notices a moment later that a client has closed its connection.
    private boolean alone(Connection connection) throws SQLException {
        long start = System.nanoTime();
        while (catalog.otherSessions(connection) > 0) {
            if (System.nanoTime() - start > SESSIONS_END.toNanos()) {
                return false;
            }
            LockSupport.parkNanos(1_000_000);
        }
        return true;
    }

    private static List<List<Object>> rows(Connection connection, String table) throws SQLException {
        List<List<Object>> all = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select * from " + table)) {
            while (row.next()) {
                List<Object> values = new ArrayList<>();
                for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                    values.add(row.getObject(i));
                }
                all.add(values);
            }
        }
        return all;
    }

    private static void insert(Connection connection, String table, List<List<Object>> rows) throws SQLException {
        if (rows.isEmpty()) {
            return;
        }
        String row = "(" + String.join(", ", Collections.nCopies(rows.get(0).size(), "?")) + ")";
        String sql = "insert into " + table + " values " + String.join(", ", Collections.nCopies(rows.size(), row));
        try (PreparedStatement insert = connection.prepareStatement(sql)) {
            int at = 1;
            for (List<Object> values : rows) {
                for (Object value : values) {
                    insert.setObject(at++, value);
                }
            }
            insert.executeUpdate();
        }
    }
}
