package dev.postrider.relay;

import java.time.Duration;
import java.util.PriorityQueue;

/** When to look for messages that wait for a retry or a delay. Not thread-safe: guarded by {@link RelayState}. */
final class WaitingTimes {

    private static final int REMEMBERED_RETRIES = 10_000;
    private static final long LOOK_EVERY = Duration.ofMillis(100).toNanos();

    // Due rows of a closed topic are passed by every look: looks that take long take a tenth of the time.
    private static final int PAUSES = 9;
    private static final long LONGEST_PAUSE = Duration.ofSeconds(2).toNanos();

    private final PriorityQueue<Long> retries = new PriorityQueue<>();
    private long nextLook;
    private long begun;
    private boolean looking;

    WaitingTimes(long nanos) {
        this.nextLook = nanos;
    }

    /** Returns whether it is time to look, and if so when the next time is. */
    boolean isDue(long nanos) {
        if (nanos - nextLook < 0 && nanosToNextRetry(nanos) > 0) {
            return false;
        }
        if (!looking) {
            begun = nanos;
        }
        looking = true;
        nextLook = nanos + LOOK_EVERY;
        while (!retries.isEmpty() && retries.peek() - nanos <= 0) {
            retries.poll();
        }
        return true;
    }

    /** A look that was due has ended, and found something or not; it goes on at once if there is {@code more}. */
    void looked(long nanos, boolean found, boolean more) {
        looking = more;
        long took = nanos - begun;
        if (more || (found && took < LOOK_EVERY)) {
            nextLook = nanos;
        } else if (took >= LOOK_EVERY) {
            nextLook = nanos + Math.min(took * PAUSES, LONGEST_PAUSE);
        }
    }

    void lookNow(long nanos) {
        nextLook = nanos;
    }

    // Only a reminder to look in time, so it may forget: the regular look finds every message that is due.
    void remember(long retryNanos) {
        if (retries.size() < REMEMBERED_RETRIES) {
            retries.add(retryNanos);
        }
    }

    /** Returns how long until the next known retry is due; zero if it is overdue. */
    long nanosToNextRetry(long nanos) {
        Long next = retries.peek();
        return next == null ? Long.MAX_VALUE : Math.max(0, next - nanos);
    }
}
