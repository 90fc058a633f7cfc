package dev.postrider.verification.volume;

import dev.postrider.services.Database;
import dev.postrider.services.Database.Kind;
import dev.postrider.services.ServerOptions;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Prints what bulk actions and purges of large tables cost, and whether they disturb anybody. */
@Command(
        name = "./verification/volume",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Starts a database with durable commits, fills a table, and requeues its dead messages while a producer"
                    + " (200 messages/s) and a relay are at work; then purges a table of delivered messages beside a"
                    + " producer and two relays.",
            "Last line for each database: bulk_rows=X bulk_heap_mb=Y purge_rows=Z purge_max_pause_ms=W deadlocks=N",
            "Exit code 1 if a message was lost, touched without being selected or left behind, if the heap grew by 64 MB,"
                    + " if there was a deadlock, or if deliveries paused for more than 100 ms during the purge."
        })
public final class Volume implements Callable<Integer> {

    private static final double MAX_HEAP_MB = 64;
    private static final double MAX_PAUSE_MS = 100;
    private static final int BUFFER_MB = 1_024;

    /** The databases that are measured. */
    enum Choice {
        POSTGRES,
        MARIADB,
        ALL
    }

    @Option(names = "--database", description = "${COMPLETION-CANDIDATES}. Default ${DEFAULT-VALUE}.")
    private Choice database = Choice.ALL;

    @Option(names = "--rows", description = "Rows of each table. Default ${DEFAULT-VALUE}.")
    private int rows = 1_000_000;

    @Option(names = "--dead", description = "How many rows of the first table are dead. Default ${DEFAULT-VALUE}.")
    private int dead = 100_000;

    @Option(
            names = "--quiet",
            description = "Seconds of traffic without a purge, for comparison. Default ${DEFAULT-VALUE}.")
    private int quietSeconds = 30;

    private Volume() {}

    /** Runs the measurement. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new Volume())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(args));
    }

    @Override
    public Integer call() throws Exception {
        List<Kind> kinds = switch (database) {
            case POSTGRES -> List.of(Kind.POSTGRES_18);
            case MARIADB -> List.of(Kind.MARIADB);
            case ALL -> List.of(Kind.POSTGRES_18, Kind.MARIADB);
        };
        boolean good = true;
        for (Kind kind : kinds) {
            good &= measure(kind);
        }
        return good ? 0 : 1;
    }

    private boolean measure(Kind kind) throws Exception {
        ServerOptions options = ServerOptions.defaults().withDurable(true).withBufferMegabytes(BUFFER_MB);
        try (Database server = Database.start(kind, options)) {
            BulkVolume.Report bulk = BulkVolume.run(server, rows, dead, Volume::progress);
            print(kind, bulk);
            PurgeVolume.Report purge =
                    PurgeVolume.run(server, rows, Duration.ofSeconds(quietSeconds), Volume::progress);
            print(kind, purge);
            System.out.printf(
                    Locale.ROOT,
                    "bulk_rows=%d bulk_heap_mb=%.0f purge_rows=%d purge_max_pause_ms=%.0f deadlocks=%d%n",
                    bulk.end().done(),
                    bulk.heap().growth(),
                    purge.removed(),
                    worst(purge.during()),
                    bulk.deadlocks() + purge.deadlocks());
            return good(bulk) && good(purge);
        }
    }

    private boolean good(BulkVolume.Report bulk) {
        return bulk.end().done() == dead
                && bulk.redelivered() == dead
                && bulk.lateUntouched() == BulkVolume.LATE
                && bulk.heap().growth() < MAX_HEAP_MB
                && bulk.deadlocks() == 0;
    }

    private boolean good(PurgeVolume.Report purge) {
        return purge.removed() == rows
                && purge.left() == 0
                && purge.lost() == 0
                && purge.stayed() == 2L * PurgeVolume.STAYING
                && worst(purge.during()) <= MAX_PAUSE_MS
                && purge.deadlocks() == 0;
    }

    private static double worst(Traffic.Figures figures) {
        return Math.max(figures.slowestMillis(), figures.longestPauseMillis());
    }

    private static void print(Kind kind, BulkVolume.Report bulk) {
        System.out.printf(
                Locale.ROOT,
                "%s bulk requeue: %d of %d expected, preview %.0f ms, run %.1f s = %.0f rows/s,"
                        + " heap after collections %.1f MB at the beginning, %.1f MB at most%n",
                kind,
                bulk.end().done(),
                bulk.end().expected(),
                bulk.prepareMillis(),
                bulk.seconds(),
                bulk.end().done() / bulk.seconds(),
                bulk.heap().atTheBeginning(),
                bulk.heap().atMost());
        System.out.printf(
                Locale.ROOT,
                "%s other traffic meanwhile: slowest delivery %.0f ms, longest pause %.0f ms, an idle thread was late by"
                        + " %.0f ms; requeued and delivered %d; died after the cut-off and untouched %d of %d%n",
                kind,
                bulk.traffic().slowestMillis(),
                bulk.traffic().longestPauseMillis(),
                bulk.traffic().stallMillis(),
                bulk.redelivered(),
                bulk.lateUntouched(),
                BulkVolume.LATE);
    }

    private static void print(Kind kind, PurgeVolume.Report purge) {
        System.out.printf(
                Locale.ROOT,
                "%s purge: %d rows in %.1f s = %.0f rows/s; left %d, lost %d, dead and waiting that stayed %d of %d%n",
                kind,
                purge.removed(),
                purge.seconds(),
                purge.removed() / purge.seconds(),
                purge.left(),
                purge.lost(),
                purge.stayed(),
                2 * PurgeVolume.STAYING);
        System.out.printf(
                Locale.ROOT,
                "%s deliveries during the purge: slowest %.0f ms, longest pause %.0f ms, an idle thread was late by %.0f ms;"
                        + " without it: %.0f, %.0f and %.0f ms%n",
                kind,
                purge.during().slowestMillis(),
                purge.during().longestPauseMillis(),
                purge.during().stallMillis(),
                purge.without().slowestMillis(),
                purge.without().longestPauseMillis(),
                purge.without().stallMillis());
    }

    private static void progress(String text) {
        System.err.println(text);
    }
}
