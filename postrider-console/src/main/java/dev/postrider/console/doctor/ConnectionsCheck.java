package dev.postrider.console.doctor;

import dev.postrider.database.Dialect;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Whether the server has connections left. */
final class ConnectionsCheck implements DatabaseCheck {

    private static final double FULL = 0.9;

    @Override
    public String name() {
        return "connections";
    }

    @Override
    public Set<Dialect> dialects() {
        return Set.of(Dialect.POSTGRESQL, Dialect.MARIADB, Dialect.MYSQL);
    }

    @Override
    public List<Finding> look(DoctorSession session) throws SQLException {
        boolean postgres = session.dialect() == Dialect.POSTGRESQL;
        Map<String, String> settings = postgres ? ServerSettings.postgres(session) : ServerSettings.innoDb(session);
        long most = Long.parseLong(settings.getOrDefault("max_connections", "0"));
        long used = postgres
                ? session.value("select count(*) from pg_stat_activity where backend_type = 'client backend'")
                        .map(Long::parseLong)
                        .orElse(0L)
                : session.rows("show global status like 'Threads_connected'").stream()
                        .findFirst()
                        .map(row -> Long.parseLong(row.getOrDefault("value", "0")))
                        .orElse(0L);
        return List.of(finding(used, most));
    }

    static Finding finding(long used, long most) {
        String found = "%d of %d connections are in use".formatted(used, most);
        if (most == 0 || used < most * FULL) {
            return Finding.ok("connections", found, "Relays get the connections they need.");
        }
        return Finding.warn(
                "connections",
                found,
                "A relay that gets no connection loses its shards, and delivery pauses.",
                "Raise max_connections, or make pools smaller.");
    }
}
