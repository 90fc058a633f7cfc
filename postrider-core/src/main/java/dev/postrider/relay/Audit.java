package dev.postrider.relay;

import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Shards;
import java.time.Duration;
import java.util.Optional;

/**
 * Walks the whole table below the scan in short steps, lap after lap, and finds rows that no scan has seen: a
 * transaction may commit after its hole was given up. A lap ends where the scan was when the lap began, so laps start
 * over whatever the traffic does. Not thread-safe: guarded by {@link RelayState}.
 */
final class Audit {

    // New messages wait while a step runs, so a busy relay takes short steps and an idle one long steps. Every relay
    // audits the whole table; a relay with fewer shards walks more slowly, down to a quarter of the rate.
    private static final long STEP_EVERY = Duration.ofMillis(200).toNanos();
    private static final long NANOS_PER_ROW = Duration.ofSeconds(1).toNanos() / 10_000;
    private static final long LONGEST_STEP = 10_000;
    private static final int LEAST_SHARE = Shards.COUNT / 4;

    // An idle relay does not read the table for ever: it pauses between laps, and less if a hole was given up lately.
    static final long PAUSE = Duration.ofMinutes(10).toNanos();
    static final long SHORT_PAUSE = Duration.ofSeconds(30).toNanos();
    private static final long ALERT = Duration.ofHours(1).toNanos();

    private long lastStep;
    private boolean stepped;
    private long walked;
    private long lapEnd;
    private long alertUntil;
    private boolean alert;

    /** Returns the next step of a relay with so many shards if one is due; {@code lowest} is where its scan stands. */
    Optional<SeqRange> step(long nanos, int shards, long lowest) {
        long passed = (nanos - lastStep) * Math.max(shards, LEAST_SHARE) / Shards.COUNT;
        boolean newLap = walked >= lapEnd;
        if (stepped && (passed < STEP_EVERY || (newLap && lapEnd > 0 && nanos - lastStep < pause(nanos)))) {
            return Optional.empty();
        }
        long rows = stepped ? Math.min(passed / NANOS_PER_ROW, LONGEST_STEP) : LONGEST_STEP;
        stepped = true;
        lastStep = nanos;
        if (newLap) {
            walked = 0;
            lapEnd = lowest;
        }
        long end = Math.min(Math.min(walked + rows, lapEnd), lowest);
        if (end <= walked) {
            // The scan went back below the audit and finds these rows itself.
            walked = lapEnd;
            return Optional.empty();
        }
        return Optional.of(new SeqRange(walked, end));
    }

    /** A step was read up to here. */
    void stepped(long upTo, long nanos) {
        walked = Math.max(walked, upTo);
        lastStep = nanos;
    }

    /** A hole was given up: its row may still appear. */
    void expectLateRows(long nanos) {
        alert = true;
        alertUntil = nanos + ALERT;
    }

    private long pause(long nanos) {
        alert = alert && alertUntil - nanos > 0;
        return alert ? SHORT_PAUSE : PAUSE;
    }
}
