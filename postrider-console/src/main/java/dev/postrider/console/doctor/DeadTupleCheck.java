package dev.postrider.console.doctor;

import dev.postrider.database.Dialect;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Whether vacuum keeps up with the table of messages. */
final class DeadTupleCheck implements DatabaseCheck {

    private static final long MANY = 100_000;

    private static final String COUNTS = """
            select s.n_live_tup, s.n_dead_tup, coalesce(s.last_autovacuum, s.last_vacuum)::text as vacuumed
              from pg_stat_all_tables s
             where s.relid = to_regclass(?)
            """;

    @Override
    public String name() {
        return "dead tuples";
    }

    @Override
    public Set<Dialect> dialects() {
        return Set.of(Dialect.POSTGRESQL);
    }

    @Override
    public List<Finding> look(DoctorSession session) throws SQLException {
        List<Map<String, String>> rows = session.rows(COUNTS, session.names().in("{message}"));
        if (rows.isEmpty()) {
            return List.of();
        }
        Map<String, String> counts = rows.get(0);
        return List.of(finding(
                Long.parseLong(counts.getOrDefault("n_live_tup", "0")),
                Long.parseLong(counts.getOrDefault("n_dead_tup", "0")),
                counts.getOrDefault("vacuumed", "")));
    }

    static Finding finding(long live, long dead, String vacuumed) {
        String found = "%d live and %d dead tuples, last vacuum %s"
                .formatted(live, dead, vacuumed.isEmpty() ? "unknown" : vacuumed);
        if (dead < MANY || dead < live) {
            return Finding.ok("dead tuples", found, "Vacuum keeps up.");
        }
        return Finding.warn(
                "dead tuples",
                found,
                "Fetches and lists read dead tuples, and the table grows.",
                "Look for long transactions; let autovacuum run more often on this table.");
    }
}
