package dev.postrider.benchmarks.contest.arena;

import java.sql.SQLException;

/** How big the table of Postrider's messages is at a moment. PostgreSQL only. */
public record TableSize(double tableMegabytes, double indexMegabytes, double deadTuples) {

    private static final double MEGABYTE = 1024 * 1024;
    private static final String SIZES = """
            select concat_ws(' ', pg_relation_size(relid), pg_indexes_size(relid), n_dead_tup)
              from pg_stat_user_tables
             where relname = 'outbox_message'
            """;

    public static TableSize of(Arena arena) throws SQLException {
        String[] sizes = arena.query(SIZES).split(" ", -1);
        return new TableSize(
                Double.parseDouble(sizes[0]) / MEGABYTE,
                Double.parseDouble(sizes[1]) / MEGABYTE,
                Double.parseDouble(sizes[2]));
    }
}
