package dev.postrider.benchmarks.spring;

import dev.postrider.services.Database;
import dev.postrider.services.ServerOptions;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Prints what the Spring Boot starter costs. */
@Command(
        name = "./benchmarks/spring",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Starts an application with the starter, and the same one with its auto-configuration excluded, in turns in"
                    + " JVMs of their own. Then starts PostgreSQL, whose commits wait for the disk, and enqueues one message"
                    + " for each transaction: by JDBC alone, and by Spring and Jackson.",
            "Last line: startup_ms=N enqueue/jdbc=X"
        })
public final class SpringBenchmark implements Callable<Integer> {

    private static final int WARM_UP = 3;

    @Option(names = "--starts", description = "Measured starts of each. Default ${DEFAULT-VALUE}.")
    private int starts = 9;

    @Option(names = "--rounds", description = "Measured slices of each. Default ${DEFAULT-VALUE}.")
    private int rounds = 9;

    @Option(names = "--transactions", description = "Transactions of one slice. Default ${DEFAULT-VALUE}.")
    private int transactions = 2_000;

    private SpringBenchmark() {}

    /** Runs the benchmark. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new SpringBenchmark()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        if (starts < 1 || rounds < 1 || transactions < 1) {
            throw new IllegalArgumentException("starts, rounds and transactions must be at least 1");
        }
        double startup = startup();
        System.err.println("starting PostgreSQL");
        try (Database postgres = Database.start(
                        Database.Kind.POSTGRES_18, ServerOptions.defaults().withDurable(true));
                Enqueues enqueues = new Enqueues(postgres)) {
            System.out.printf(Locale.ROOT, "startup_ms=%.0f enqueue/jdbc=%.2f%n", startup, enqueue(enqueues));
        }
        return 0;
    }

    private double startup() throws Exception {
        double[] more = new double[starts];
        for (int i = -1; i < starts; i++) {
            long without = Starts.millis(false);
            long with = Starts.millis(true);
            System.err.printf(Locale.ROOT, "start %d: without %d ms, with %d ms%n", i + 1, without, with);
            if (i >= 0) {
                more[i] = with - without;
            }
        }
        return median(more);
    }

    private double enqueue(Enqueues enqueues) throws Exception {
        double[] ratios = new double[rounds];
        for (int round = -WARM_UP; round < rounds; round++) {
            double plain = enqueues.plain(transactions);
            double spring = enqueues.spring(transactions);
            System.err.printf(
                    Locale.ROOT,
                    "%s: jdbc %.1f us, spring %.1f us%n",
                    round < 0 ? "warm-up" : "round " + (round + 1),
                    plain,
                    spring);
            if (round >= 0) {
                ratios[round] = spring / plain;
            }
        }
        return median(ratios);
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
