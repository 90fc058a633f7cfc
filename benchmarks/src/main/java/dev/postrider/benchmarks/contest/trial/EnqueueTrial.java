package dev.postrider.benchmarks.contest.trial;

import dev.postrider.benchmarks.contest.arena.Arena;
import dev.postrider.benchmarks.contest.arena.Cargo;
import dev.postrider.benchmarks.contest.arena.Contender;
import dev.postrider.benchmarks.contest.arena.Parameters;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What an enqueue costs the business transaction: the same transaction with and without it, in turns. Nothing is
 * delivered meanwhile.
 */
final class EnqueueTrial implements Trial {

    private static final Cargo CARGO = new Cargo(1_000);

    private final AtomicInteger numbers = new AtomicInteger();

    @Override
    public void run(Contender contender, Arena arena, Parameters parameters, Figures figures) throws Exception {
        int sliceMillis = parameters.number("slice_ms");
        int slices = parameters.number("slices");
        for (String threads : parameters.text("threads").split(",", -1)) {
            int count = Integer.parseInt(threads);
            for (int slice = 0; slice < slices; slice++) {
                measure(contender, count, sliceMillis, true);
                measure(contender, count, sliceMillis, false);
            }
            double[] without = new double[slices];
            double[] with = new double[slices];
            double[] overhead = new double[slices];
            for (int slice = 0; slice < slices; slice++) {
                // Now the one is first and now the other, so that a machine that gets slower or faster favours neither.
                boolean enqueueFirst = slice % 2 == 1;
                double first = measure(contender, count, sliceMillis, enqueueFirst);
                double second = measure(contender, count, sliceMillis, !enqueueFirst);
                without[slice] = enqueueFirst ? second : first;
                with[slice] = enqueueFirst ? first : second;
                overhead[slice] = without[slice] / with[slice];
            }
            figures.put("without_" + count, Median.of(without));
            figures.put("with_" + count, Median.of(with));
            figures.put("overhead_" + count, Median.of(overhead));
        }
    }

    /** Returns transactions per second. */
    private double measure(Contender contender, int threads, int millis, boolean enqueue) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            long start = System.nanoTime();
            long end = start + TimeUnit.MILLISECONDS.toNanos(millis);
            List<Future<Integer>> counts = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                counts.add(pool.submit(() -> produce(contender, end, enqueue)));
            }
            int all = 0;
            for (Future<Integer> count : counts) {
                all += count.get();
            }
            return all / ((System.nanoTime() - start) / 1e9);
        } finally {
            pool.shutdownNow();
        }
    }

    private int produce(Contender contender, long end, boolean enqueue) throws Exception {
        int count = 0;
        while (System.nanoTime() < end) {
            int number = numbers.getAndIncrement();
            contender.transaction(transaction -> {
                transaction.order(number);
                if (enqueue) {
                    transaction.enqueue(number, CARGO.key(number), Cargo.payload(number));
                }
            });
            count++;
        }
        return count;
    }
}
