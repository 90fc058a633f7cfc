package dev.postrider.benchmarks.contest.trial;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.admin.Retention;
import dev.postrider.benchmarks.contest.arena.Arena;
import dev.postrider.benchmarks.contest.arena.Arrivals;
import dev.postrider.benchmarks.contest.arena.Contender;
import dev.postrider.benchmarks.contest.arena.Parameters;
import dev.postrider.benchmarks.contest.arena.Patience;
import dev.postrider.benchmarks.contest.arena.Producers;
import dev.postrider.benchmarks.contest.arena.TableSize;
import dev.postrider.jdbc.operator.JdbcRetention;
import dev.postrider.relay.RetentionJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;

/**
 * Whether Postrider stays as fast and as small as it is, for minutes at a steady rate, while delivered rows are purged
 * and the server vacuums as it is configured to. PostgreSQL only.
 */
final class SteadyTrial implements Trial {

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Duration PURGE_EVERY = Duration.ofSeconds(5);
    private static final int WARM_UP_SECONDS = 3;
    private static final int POOL = 2;

    @Override
    public void run(Contender contender, Arena arena, Parameters parameters, Figures figures) throws Exception {
        if (!arena.postgres()) {
            throw new IllegalArgumentException("STEADY looks into the statistics of PostgreSQL");
        }
        int rate = parameters.number("rate", 1_000);
        int messages = rate * parameters.number("seconds", 600);
        Duration window = Duration.ofSeconds(parameters.number("window", 10));
        Duration keep = Duration.ofSeconds(parameters.number("keep", 60));
        Producers producers = new Producers(contender::transaction, rate, parameters.number("threads", 8));
        Arrivals arrivals = arena.sink().arrivals();
        contender.start();
        arrivals.expect(rate * WARM_UP_SECONDS);
        producers.produce(rate * WARM_UP_SECONDS);
        await(arrivals, rate * WARM_UP_SECONDS);

        arrivals.expect(messages);
        try (HikariDataSource pool = arena.pool(POOL);
                RetentionJob job = retention(pool, keep).start()) {
            List<TableSize> sizes = new ArrayList<>();
            long[] commits = watch(producers, messages, arena, window, sizes);
            await(arrivals, messages);
            sizes.add(TableSize.of(arena));
            int perWindow = Math.toIntExact(rate * window.toSeconds());
            long[] times = arrivals.times();
            report(new Windows(commits, times, perWindow), sizes, figures);
            figures.put("rate", messages / seconds(commits, times));
            figures.put("duplicates", arrivals.duplicates());
            figures.put("purged", (double) job.total().delivered());
        }
        figures.settings(Map.of("purge", "delivered rows after %d s".formatted(keep.toSeconds())));
    }

    private static RetentionJob retention(HikariDataSource pool, Duration keep) {
        return RetentionJob.builder(JdbcRetention.of(pool))
                .policy(Retention.defaults().withDelivered(keep))
                .interval(PURGE_EVERY, PURGE_EVERY)
                .build();
    }

    private static long[] watch(Producers producers, int messages, Arena arena, Duration window, List<TableSize> sizes)
            throws Exception {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            Future<long[]> commits = thread.submit(() -> producers.produce(messages));
            while (!Patience.await(window, commits::isDone)) {
                sizes.add(TableSize.of(arena));
            }
            return commits.get();
        } finally {
            thread.shutdownNow();
        }
    }

    private static void report(Windows windows, List<TableSize> sizes, Figures figures) {
        windows.all().report(figures);
        TableSize last = sizes.get(sizes.size() - 1);
        figures.put("slowest_window_rate", Arrays.stream(windows.rates()).min().orElseThrow());
        figures.put("worst_window_p99_ms", Arrays.stream(windows.p99()).max().orElseThrow());
        figures.put("table_mb", last.tableMegabytes());
        figures.put("index_mb", last.indexMegabytes());
        figures.put("dead_tuples", last.deadTuples());
        figures.put("p99_drift", Drift.of(windows.p99()));
        figures.put("table_drift", drift(sizes, TableSize::tableMegabytes));
        figures.put("index_drift", drift(sizes, TableSize::indexMegabytes));
    }

    private static double drift(List<TableSize> sizes, ToDoubleFunction<TableSize> which) {
        return Drift.of(sizes.stream().mapToDouble(which).toArray());
    }

    private static double seconds(long[] commits, long[] times) {
        return (LongStream.of(times).max().orElseThrow()
                        - LongStream.of(commits).min().orElseThrow())
                / 1e9;
    }

    private static void await(Arrivals arrivals, int messages) throws Exception {
        if (!Patience.await(LIMIT, () -> arrivals.distinct() >= messages)) {
            throw new IllegalStateException("Only %d of %d messages arrived".formatted(arrivals.distinct(), messages));
        }
    }
}
