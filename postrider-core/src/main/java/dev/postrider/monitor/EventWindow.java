package dev.postrider.monitor;

import java.time.Duration;
import java.util.Arrays;

/** Counts events within a sliding time; an event is forgotten after that time, or a little later. Not thread-safe. */
final class EventWindow {

    private static final int SLOTS = 60;

    private final long[] counts = new long[SLOTS];
    private final long width;
    private long newest = Long.MIN_VALUE;

    EventWindow(Duration window) {
        this.width = window.toNanos() / (SLOTS - 1) + 1;
    }

    void add(long events, long nanos) {
        advance(nanos);
        counts[slot(newest)] += events;
    }

    long sum(long nanos) {
        advance(nanos);
        long sum = 0;
        for (long count : counts) {
            sum += count;
        }
        return sum;
    }

    private void advance(long nanos) {
        long current = Math.floorDiv(nanos, width);
        if (newest == Long.MIN_VALUE || current - newest >= SLOTS) {
            Arrays.fill(counts, 0);
            newest = current;
        }
        while (newest < current) {
            newest++;
            counts[slot(newest)] = 0;
        }
    }

    private static int slot(long number) {
        return Math.floorMod(number, SLOTS);
    }
}
