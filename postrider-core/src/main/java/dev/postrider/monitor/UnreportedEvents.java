package dev.postrider.monitor;

import java.time.Duration;

/**
 * Counts events that no alert has reported yet. An event within the pause after an alert is kept for the next one, and
 * none is reported twice. Not thread-safe.
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

    /** Returns the number of unreported events; zero after a calm time, and NaN in between. */
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
