package dev.postrider.verification.volume;

import dev.postrider.admin.BulkAction;
import dev.postrider.admin.BulkOptions;
import dev.postrider.admin.BulkPlan;
import dev.postrider.admin.BulkProgress;
import dev.postrider.admin.Decision;
import dev.postrider.admin.MessageFilter;
import dev.postrider.jdbc.operator.JdbcBulkActions;
import dev.postrider.services.Database;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Requeues all dead messages of a large table while a producer and a relay are at work. */
final class BulkVolume {

    /** Messages that die after the selection was frozen. */
    static final int LATE = 100;

    private static final int PER_SECOND = 200;
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /**
     * What came out.
     *
     * @param prepareMillis how long the preview took
     * @param seconds how long the run took
     * @param heap how much of it was in use
     * @param lateUntouched of the messages that died after the cut-off, how many are as they were
     * @param traffic how the other messages fared
     * @param redelivered how many requeued messages were delivered
     * @param deadlocks transactions ended by the server, plus turns and transactions that failed
     */
    record Report(
            BulkProgress end,
            double prepareMillis,
            double seconds,
            HeapWatch.Figures heap,
            long lateUntouched,
            Traffic.Figures traffic,
            long redelivered,
            long deadlocks) {}

    private BulkVolume() {}

    static Report run(Database server, int rows, int dead, Consumer<String> progress)
            throws SQLException, InterruptedException {
        try (Table table = new Table(server, progress)) {
            table.fill(rows - dead, dead);
            long deadlocks = table.deadlocks();
            try (Traffic traffic = new Traffic(table, 1, PER_SECOND)) {
                settle(traffic);
                JdbcBulkActions bulk = JdbcBulkActions.of(table.pool());
                long began = System.nanoTime();
                BulkPlan plan = bulk.prepare(
                        BulkAction.REQUEUE, MessageFilter.all(), new Decision("volume", "to see how it goes"));
                double prepareMillis = millisSince(began);
                table.progress("prepared %d rows in %.0f ms".formatted(plan.expected(), prepareMillis));
                table.run(table.filling().dead("late", LATE));
                traffic.begin();
                Measured run = measured(table, bulk, plan);
                Traffic.Figures figures = traffic.figures();
                traffic.stopProducing();
                drain(traffic, dead);
                return new Report(
                        run.end,
                        prepareMillis,
                        run.seconds,
                        run.heap,
                        table.count("topic = 'late' and status = 3 and attempts = 1 and died_at is not null"),
                        figures,
                        traffic.others(),
                        table.deadlocksSince(deadlocks) + traffic.errors());
            }
        }
    }

    private record Measured(BulkProgress end, double seconds, HeapWatch.Figures heap) {}

    private static Measured measured(Table table, JdbcBulkActions bulk, BulkPlan plan) {
        try (HeapWatch heap = new HeapWatch()) {
            long began = System.nanoTime();
            long[] told = {0};
            BulkProgress end = bulk.run(plan.id(), BulkOptions.defaults().withListener(now -> {
                if (now.done() - told[0] >= plan.expected() / 5) {
                    told[0] = now.done();
                    heap.collect();
                    table.progress("requeued %d of %d".formatted(now.done(), plan.expected()));
                }
            }));
            return new Measured(end, millisSince(began) / 1_000, heap.figures());
        }
    }

    /** Waits until the relay owns its shards and deliveries flow. */
    static void settle(Traffic traffic) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (traffic.delivered() < 2 * PER_SECOND && System.nanoTime() < deadline) {
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    private static void drain(Traffic traffic, int dead) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while ((traffic.others() < dead || traffic.delivered() < traffic.enqueued()) && System.nanoTime() < deadline) {
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    private static double millisSince(long began) {
        return (System.nanoTime() - began) / 1_000_000.0;
    }
}
