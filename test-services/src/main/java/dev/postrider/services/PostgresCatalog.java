package dev.postrider.services;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** The catalog of PostgreSQL. */
record PostgresCatalog() implements Catalog {

    // Objects of users have oids from 16384 on. A row of the catalog that is written anew gets another xmin, but those
    // of pg_class also change with the statistics and with truncate.
    private static final String DEFINITIONS = """
            select string_agg(line, ' ' order by line)
              from (select concat_ws(':', 'class', oid, relname, relkind, reloptions, relacl, relhastriggers, relrowsecurity)
                      from pg_class where oid >= 16384
                    union all
                    select concat_ws(':', 'column', attrelid, attnum, xmin) from pg_attribute where attrelid >= 16384
                    union all
                    select concat_ws(':', 'constraint', oid, xmin) from pg_constraint where oid >= 16384
                    union all
                    select concat_ws(':', 'trigger', oid, xmin) from pg_trigger where oid >= 16384
                    union all
                    select concat_ws(':', 'function', oid, xmin) from pg_proc where oid >= 16384
                    union all
                    select concat_ws(':', 'schema', oid, xmin) from pg_namespace where oid >= 16384
                    union all
                    select concat_ws(':', 'setting', setdatabase, setrole, setconfig) from pg_db_role_setting
                   ) as definition (line)
            """;

    // The size counts dead rows too, so a table whose insert was rolled back is among them.
    private static final String USED = """
            select oid::regclass::text
              from pg_class
             where oid >= 16384
               and relkind = 'r'
               and pg_relation_size(oid) > 0
            """;

    private static final String OTHER_SESSIONS = """
            select count(*)
              from pg_stat_activity
             where datname = current_database()
               and pid <> pg_backend_pid()
               and backend_type = 'client backend'
            """;

    @Override
    public State state(Connection connection) throws SQLException {
        return new State(Catalog.strings(connection, DEFINITIONS).get(0), Catalog.strings(connection, USED));
    }

    @Override
    public void empty(Connection connection, List<String> tables) throws SQLException {
        Catalog.execute(
                connection,
                "set lock_timeout = '5s'",
                "truncate table " + String.join(", ", tables) + " restart identity");
    }

    @Override
    public long otherSessions(Connection connection) throws SQLException {
        return Long.parseLong(Catalog.strings(connection, OTHER_SESSIONS).get(0));
    }
}
