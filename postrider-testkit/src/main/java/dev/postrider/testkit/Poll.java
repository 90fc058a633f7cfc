package dev.postrider.testkit;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what other threads bring about. */
final class Poll {

    private static final long PAUSE = Duration.ofMillis(5).toNanos();

    private Poll() {}

    /** Returns as soon as the condition holds, or when the time is over. */
    static boolean until(Duration patience, BooleanSupplier condition) {
        long end = System.nanoTime() + patience.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end >= 0) {
                return false;
            }
            LockSupport.parkNanos(PAUSE);
        }
        return true;
    }
}
