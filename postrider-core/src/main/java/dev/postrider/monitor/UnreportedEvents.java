package dev.postrider.monitor;

import java.time.Duration;

/**
 * Counts events until somebody was told of them. An event that falls into the silence after an alert is kept for the
 * next one, and none is told twice. Not thread-safe.
 */
final class UnreportedEvents {

    private final EventWindow recent;
    private long untold;

    /** It is over when nothing has happened for {@code calm}. */
    UnreportedEvents(Duration calm) {
        this.recent = new EventWindow(calm);
    }

    void add(long events, long nanos) {
        recent.add(events, nanos);
        untold += events;
    }

    /** Returns what is to be told; zero if nothing has happened for long, and nothing to go by in between. */
    double value(long nanos) {
        if (recent.sum(nanos) == 0) {
            untold = 0;
            return 0;
        }
        return untold > 0 ? untold : Double.NaN;
    }

    void told() {
        untold = 0;
    }
}
