package dev.postrider.services;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The catalog of H2. */
record H2Catalog() implements Catalog {

    private static final String TABLES = """
            select table_name
              from information_schema.tables
             where table_schema = 'PUBLIC'
               and table_type = 'BASE TABLE'
            """;

    private static final String MOVED_COUNTERS = """
            select table_name
              from information_schema.columns
             where table_schema = 'PUBLIC'
               and identity_base > identity_start
            """;

    private static final Pattern COUNTER = Pattern.compile(" RESTART WITH \\d+");

    @Override
    public State state(Connection connection) throws SQLException {
        // Lines that begin with dashes are comments with the number of rows.
        String definitions = Catalog.strings(connection, "script nodata").stream()
                .filter(line -> !line.startsWith("--"))
                .map(line -> COUNTER.matcher(line).replaceAll(""))
                .collect(Collectors.joining("\n"));
        List<String> used = new ArrayList<>(Catalog.strings(connection, MOVED_COUNTERS));
        for (String table : Catalog.strings(connection, TABLES)) {
            String anyRow = "select 1 from " + table + " limit 1";
            if (!used.contains(table) && !Catalog.strings(connection, anyRow).isEmpty()) {
                used.add(table);
            }
        }
        return new State(definitions, used);
    }

    @Override
    public void empty(Connection connection, List<String> tables) throws SQLException {
        for (String table : tables) {
            Catalog.execute(connection, "truncate table " + table + " restart identity");
        }
    }

    @Override
    public long otherSessions(Connection connection) throws SQLException {
        String query = "select count(*) from information_schema.sessions where session_id <> session_id()";
        return Long.parseLong(Catalog.strings(connection, query).get(0));
    }
}
