package dev.postrider.console.doctor;

import dev.postrider.database.Dialect;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** Transactions that keep the server from cleaning up, and messages from becoming visible in order. */
final class LongTransactionCheck implements DatabaseCheck {

    private static final long LONG_SECONDS = 60;
    private static final long VERY_LONG_SECONDS = 1_800;

    private static final String POSTGRES = """
            select coalesce(max(extract(epoch from clock_timestamp() - a.xact_start)), 0)::bigint
              from pg_stat_activity a
             where a.datname = current_database() and a.xact_start is not null and a.pid <> pg_backend_pid()
            """;

    private static final String INNO_DB = """
            select coalesce(max(timestampdiff(second, t.trx_started, now())), 0) from information_schema.innodb_trx t
            """;

    @Override
    public String name() {
        return "long transactions";
    }

    @Override
    public Set<Dialect> dialects() {
        return Set.of(Dialect.POSTGRESQL, Dialect.MARIADB, Dialect.MYSQL);
    }

    @Override
    public List<Finding> look(DoctorSession session) throws SQLException {
        String question = session.dialect() == Dialect.POSTGRESQL ? POSTGRES : INNO_DB;
        return List.of(finding(session.value(question).map(Long::parseLong).orElse(0L)));
    }

    static Finding finding(long seconds) {
        String found = "The oldest open transaction is %d s old".formatted(seconds);
        if (seconds < LONG_SECONDS) {
            return Finding.ok("long transactions", found, "The server can clean up behind deliveries.");
        }
        String means = "The server cannot clean up behind deliveries, so fetches read ever more dead rows.";
        String action = "Find it in the server's list of transactions and end it, or bound such transactions by a"
                + " time-out.";
        return seconds < VERY_LONG_SECONDS
                ? Finding.note("long transactions", found, means)
                : Finding.warn("long transactions", found, means, action);
    }
}
