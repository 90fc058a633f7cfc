package dev.postrider.services;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The catalog of MariaDB and MySQL. */
record InnoDbCatalog() implements Catalog {

    private static final Pattern COUNTER = Pattern.compile(" AUTO_INCREMENT=\\d+");

    @Override
    public State state(Connection connection) throws SQLException {
        List<String> definitions = new ArrayList<>();
        List<String> used = new ArrayList<>();
        for (String table : Catalog.strings(connection, "show full tables where table_type = 'BASE TABLE'")) {
            String definition =
                    Catalog.strings(connection, "show create table " + table, 2).get(0);
            Matcher counter = COUNTER.matcher(definition);
            definitions.add(counter.replaceAll(""));
            if (counter.reset().find() || holdsRows(connection, table)) {
                used.add(table);
            }
        }
        definitions.addAll(Catalog.strings(connection, "show full tables where table_type <> 'BASE TABLE'"));
        definitions.addAll(Catalog.strings(connection, "show triggers"));
        return new State(String.join("\n", definitions), used);
    }

    @Override
    public void empty(Connection connection, List<String> tables) throws SQLException {
        Catalog.execute(connection, "set session lock_wait_timeout = 5, innodb_lock_wait_timeout = 5");
        for (String table : tables) {
            Catalog.execute(connection, "truncate table " + table);
        }
    }

    private static boolean holdsRows(Connection connection, String table) throws SQLException {
        return !Catalog.strings(connection, "select 1 from " + table + " limit 1")
                .isEmpty();
    }

    @Override
    public long otherSessions(Connection connection) throws SQLException {
        String query = "select count(*) from information_schema.processlist"
                + " where db = database() and id <> connection_id()";
        return Long.parseLong(Catalog.strings(connection, query).get(0));
    }
}
