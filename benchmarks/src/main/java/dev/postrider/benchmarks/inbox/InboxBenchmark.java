package dev.postrider.benchmarks.inbox;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.inbox.InboxSchema;
import dev.postrider.services.Database;
import dev.postrider.services.ServerOptions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Handles messages with and without an inbox, in turns, and prints how they compare. */
@Command(
        name = "./benchmarks/inbox",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Starts PostgreSQL, whose commits wait for the disk, and handles messages in three ways: in a bare"
                    + " transaction, through process, and through processBatch. The handler inserts one row for each"
                    + " message. Slices of all three are interleaved and compared one by one.",
            "Last line: process/bare=X batch_ms=Y"
        })
public final class InboxBenchmark implements Callable<Integer> {

    private static final int WARM_UP = 3;

    @Option(names = "--messages", description = "Messages of one slice. Default ${DEFAULT-VALUE}.")
    private int messages = 2_000;

    @Option(names = "--batch", description = "Messages of one batch. Default ${DEFAULT-VALUE}.")
    private int batch = 100;

    @Option(names = "--rounds", description = "Measured slices of each. Default ${DEFAULT-VALUE}.")
    private int rounds = 9;

    private InboxBenchmark() {}

    /** Runs the benchmark; exit code 0 if every message had exactly one effect. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new InboxBenchmark()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        if (messages < batch || batch < 1 || rounds < 1) {
            throw new IllegalArgumentException(
                    "%d messages in batches of %d, %d rounds: at least one of each".formatted(messages, batch, rounds));
        }
        System.err.println("starting PostgreSQL");
        try (Database postgres = Database.start(
                        Database.Kind.POSTGRES_18, ServerOptions.defaults().withDurable(true));
                HikariDataSource pool = pool(postgres)) {
            InboxSchema.of(pool).migrate();
            execute(pool, "create table effect (message_id text not null, worth bigint not null)");
            measure(new Ways(pool), pool);
        }
        return 0;
    }

    private void measure(Ways ways, HikariDataSource pool) throws Exception {
        double[] bare = new double[rounds];
        double[] process = new double[rounds];
        double[] batches = new double[rounds];
        double[] ratios = new double[rounds];
        for (int round = -WARM_UP; round < rounds; round++) {
            double first = ways.bare(messages);
            double second = ways.process(messages);
            double third = ways.processBatch(messages, batch);
            System.err.printf(
                    Locale.ROOT,
                    "%s: bare %.3f ms, process %.3f ms, batch %.4f ms%n",
                    round < 0 ? "warm-up" : "round %d of %d".formatted(round + 1, rounds),
                    first,
                    second,
                    third);
            if (round >= 0) {
                bare[round] = first;
                process[round] = second;
                batches[round] = third;
                ratios[round] = second / first;
            }
        }
        check(pool, ways.handled());
        System.out.printf(Locale.ROOT, "%-14s %10s %10s %10s%n", "ms per message", "median", "fastest", "slowest");
        print("bare", bare);
        print("process", process);
        print("batch of " + batch, batches);
        System.out.printf(Locale.ROOT, "process/bare=%.2f batch_ms=%.3f%n", middle(ratios), middle(batches));
    }

    private static void print(String name, double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        System.out.printf(
                Locale.ROOT,
                "%-14s %10.4f %10.4f %10.4f%n",
                name,
                middle(values),
                sorted[0],
                sorted[sorted.length - 1]);
    }

    private static double middle(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    private static void check(HikariDataSource pool, long handled) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                var row = statement.executeQuery("select count(*), count(distinct message_id) from effect")) {
            row.next();
            if (row.getLong(1) != handled || row.getLong(2) != handled) {
                throw new IllegalStateException("%d messages had %d effects".formatted(handled, row.getLong(1)));
            }
        }
    }

    private static HikariDataSource pool(Database postgres) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(postgres.jdbcUrl());
        pool.setUsername(postgres.user());
        pool.setPassword(postgres.password());
        pool.setMaximumPoolSize(2);
        return pool;
    }

    private static void execute(HikariDataSource pool, String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
