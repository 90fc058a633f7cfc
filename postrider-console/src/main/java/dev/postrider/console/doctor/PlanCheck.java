package dev.postrider.console.doctor;

import dev.postrider.database.Dialect;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Whether the planner walks the index of due messages, as fetches do, instead of sorting the table. */
final class PlanCheck implements DatabaseCheck {

    // On a small table reading all of it is right.
    private static final long LARGE = 20_000;

    private static final String DUE = """
            select m.seq from {message} m where m.due_at is not null order by m.due_at, m.seq limit 100
            """;

    @Override
    public String name() {
        return "plan";
    }

    @Override
    public Set<Dialect> dialects() {
        return Set.of(Dialect.POSTGRESQL, Dialect.MARIADB, Dialect.MYSQL);
    }

    @Override
    public List<Finding> look(DoctorSession session) throws SQLException {
        boolean postgres = session.dialect() == Dialect.POSTGRESQL;
        long rows = postgres ? postgresRows(session) : 0;
        String plan = postgres ? postgresPlan(session) : innoDbPlan(session);
        boolean sorts = plan.contains("Seq Scan") || plan.contains("Sort") || plan.contains("filesort");
        if (!sorts || (postgres && rows < LARGE)) {
            return List.of(Finding.ok(
                    name(),
                    sorts ? "The table is small" : "Due messages are found by their index",
                    "Fetches stay cheap."));
        }
        return List.of(Finding.warn(
                name(),
                "The planner reads or sorts the whole table to find due messages",
                "Fetches become slower as the table grows.",
                "Run 'analyze %s', and check the indexes."
                        .formatted(session.names().in("{message}"))));
    }

    private static long postgresRows(DoctorSession session) throws SQLException {
        return session.value(
                        "select reltuples::bigint from pg_class where oid = to_regclass(?)",
                        session.names().in("{message}"))
                .map(Long::parseLong)
                .orElse(0L);
    }

    private static String postgresPlan(DoctorSession session) throws SQLException {
        StringBuilder plan = new StringBuilder();
        for (Map<String, String> row : session.rows("explain " + DUE)) {
            plan.append(String.join(" ", row.values())).append('\n');
        }
        return plan.toString();
    }

    private static String innoDbPlan(DoctorSession session) throws SQLException {
        return session.rows("explain " + DUE).stream()
                .map(row -> row.getOrDefault("extra", ""))
                .reduce("", (a, b) -> a + b);
    }
}
