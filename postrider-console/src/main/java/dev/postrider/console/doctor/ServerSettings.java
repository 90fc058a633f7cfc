package dev.postrider.console.doctor;

import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;

/** Reads settings of a server by name. */
final class ServerSettings {

    private ServerSettings() {}

    static Map<String, String> postgres(DoctorSession session) throws SQLException {
        Map<String, String> settings = new TreeMap<>();
        for (Map<String, String> row : session.rows("""
                select name, setting
                  from pg_settings
                 where name in ('synchronous_commit', 'fsync', 'full_page_writes', 'max_connections')
                """)) {
            settings.put(row.get("name"), row.get("setting"));
        }
        return settings;
    }

    static Map<String, String> innoDb(DoctorSession session) throws SQLException {
        Map<String, String> settings = new TreeMap<>();
        for (Map<String, String> row : session.rows("""
                show global variables
                 where variable_name in ('innodb_flush_log_at_trx_commit', 'sync_binlog', 'log_bin', 'binlog_format',
                                         'innodb_doublewrite', 'max_connections')
                """)) {
            settings.put(row.get("variable_name"), row.get("value"));
        }
        return settings;
    }
}
