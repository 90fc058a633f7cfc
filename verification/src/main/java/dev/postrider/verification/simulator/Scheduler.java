package dev.postrider.verification.simulator;

import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * Virtual time. An event may itself let time pass, so that others happen in the middle of it: that is how two calls
 * overlap although there is one thread.
 */
final class Scheduler {

    private static final int DEEPEST = 12;
    private static final Comparator<Event> ORDER =
            Comparator.comparingLong(Event::at).thenComparingLong(Event::tie);

    private final PriorityQueue<Event> queue = new PriorityQueue<>(64, ORDER);
    private long now;
    private long ties;
    private int depth;

    private record Event(long at, long tie, Runnable action) {}

    long now() {
        return now;
    }

    void after(long nanos, Runnable action) {
        queue.add(new Event(now + Math.max(0, nanos), ties++, action));
    }

    /** Returns false if events are nested so deeply that no more time should pass inside one. */
    boolean mayNest() {
        return depth < DEEPEST;
    }

    void runUntil(long end) {
        depth++;
        try {
            while (!queue.isEmpty() && queue.peek().at <= end) {
                Event event = queue.remove();
                now = Math.max(now, event.at);
                event.action.run();
            }
            now = Math.max(now, end);
        } finally {
            depth--;
        }
    }

    /** How many events there were. */
    long count() {
        return ties;
    }
}
