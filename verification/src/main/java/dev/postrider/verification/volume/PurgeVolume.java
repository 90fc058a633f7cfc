package dev.postrider.verification.volume;

import dev.postrider.jdbc.operator.JdbcRetention;
import dev.postrider.relay.RetentionJob;
import dev.postrider.services.Database;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Purges a large table of delivered messages while a producer and two relays are at work. */
final class PurgeVolume {

    /** Messages in each of the states that must stay. */
    static final int STAYING = 1_000;

    private static final int PER_SECOND = 200;
    private static final Duration PATIENCE = Duration.ofMinutes(30);

    /**
     * What came out.
     *
     * @param removed how many delivered messages were removed
     * @param seconds how long it took
     * @param without how the traffic fared before the purge
     * @param during how it fared during the purge
     * @param stayed how many dead and waiting messages are still there
     * @param left how many old delivered messages are still there
     * @param lost messages of the traffic that were neither delivered nor are there
     * @param deadlocks transactions ended by the server, plus turns and transactions that failed
     */
    record Report(
            long removed,
            double seconds,
            Traffic.Figures without,
            Traffic.Figures during,
            long stayed,
            long left,
            long lost,
            long deadlocks) {}

    private PurgeVolume() {}

    static Report run(Database server, int rows, Duration quiet, Consumer<String> progress)
            throws SQLException, InterruptedException {
        try (Table table = new Table(server, progress)) {
            table.run(table.filling().dead("staying", STAYING));
            table.run(table.filling().waiting(STAYING));
            table.fill(rows, 0);
            long deadlocks = table.deadlocks();
            try (Traffic traffic = new Traffic(table, 2, PER_SECOND)) {
                BulkVolume.settle(traffic);
                traffic.begin();
                TimeUnit.NANOSECONDS.sleep(quiet.toNanos());
                Traffic.Figures without = traffic.figures();
                traffic.begin();
                long began = System.nanoTime();
                long removed = purge(table, rows);
                double seconds = (System.nanoTime() - began) / 1e9;
                Traffic.Figures during = traffic.figures();
                traffic.stopProducing();
                return new Report(
                        removed,
                        seconds,
                        without,
                        during,
                        table.count("topic = 'staying' and status = 3")
                                + table.count("topic = 'waiting' and status = 0"),
                        table.count("topic = 'old'"),
                        traffic.enqueued() - table.count("topic = 'steady'"),
                        table.deadlocksSince(deadlocks) + traffic.errors());
            }
        }
    }

    private static long purge(Table table, int rows) throws InterruptedException {
        try (RetentionJob job =
                RetentionJob.builder(JdbcRetention.of(table.pool())).build().start()) {
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            long told = 0;
            while (job.total().delivered() < rows && System.nanoTime() < deadline) {
                TimeUnit.MILLISECONDS.sleep(20);
                if (job.total().delivered() - told >= Math.max(1, rows / 5)) {
                    told = job.total().delivered();
                    table.progress("purged %d of %d".formatted(told, rows));
                }
            }
            return job.total().delivered();
        }
    }
}
