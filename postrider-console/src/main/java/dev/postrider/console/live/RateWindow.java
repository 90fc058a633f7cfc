package dev.postrider.console.live;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Turns a total that grows into a rate over the last seconds. Not thread-safe. */
final class RateWindow {

    private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final double NANOS = 1e9;

    private final Deque<Total> totals = new ArrayDeque<>();

    private record Total(long nanos, long value) {}

    /** Takes the total at this time. One that is lower than before starts the window anew. */
    void add(long nanos, long value) {
        Total last = totals.peekLast();
        if (last != null && last.value > value) {
            totals.clear();
        }
        if (last != null && nanos - last.nanos < SHORTEST_NANOS && totals.size() > 1) {
            return;
        }
        totals.addLast(new Total(nanos, value));
        // One total from before the window stays, so that slow looks have a rate, too.
        while (totals.size() > 2 && nanos - totals.getFirst().nanos > WINDOW_NANOS) {
            totals.removeFirst();
        }
    }

    /** Returns the growth in a second; null before the second look. */
    @Nullable Double perSecond() {
        if (totals.size() < 2) {
            return null;
        }
        long nanos = totals.getLast().nanos - totals.getFirst().nanos;
        double rate = (totals.getLast().value - totals.getFirst().value) * NANOS / nanos;
        return Math.round(rate * 10) / 10.0;
    }
}
