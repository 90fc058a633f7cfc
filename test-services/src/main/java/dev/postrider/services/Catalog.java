package dev.postrider.services;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** What a database knows about its own tables and sessions. */
interface Catalog {

    static Catalog of(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        return switch (product) {
            case "PostgreSQL" -> new PostgresCatalog();
            case "MariaDB", "MySQL" -> new InnoDbCatalog();
            case "H2" -> new H2Catalog();
            default -> throw new IllegalArgumentException("Not a database we know: " + product);
        };
    }

    /**
     * What a database looks like.
     *
     * @param definitions a text that changes with every change of a table, index, constraint or trigger
     * @param used the tables that hold rows, or whose counter is no longer at its start
     */
    record State(String definitions, List<String> used) {}

    State state(Connection connection) throws SQLException;

    /** Removes all rows and sets the counters back. */
    void empty(Connection connection, List<String> tables) throws SQLException;

    long otherSessions(Connection connection) throws SQLException;

    /** Returns the first column of the result. */
    static List<String> strings(Connection connection, String query) throws SQLException {
        return strings(connection, query, 1);
    }

    static List<String> strings(Connection connection, String query, int column) throws SQLException {
        List<String> all = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            while (row.next()) {
                all.add(row.getString(column));
            }
        }
        return all;
    }

    static void execute(Connection connection, String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}
