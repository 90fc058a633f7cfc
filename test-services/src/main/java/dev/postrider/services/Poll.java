package dev.postrider.services;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for something that cannot call back. */
final class Poll {

    private static final long PAUSE = Duration.ofMillis(10).toNanos();

    private Poll() {}

    static void until(BooleanSupplier condition, Duration timeout, Supplier<String> failure) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("Interrupted: " + failure.get());
            }
            if (System.nanoTime() - start > timeout.toNanos()) {
                throw new IllegalStateException(failure.get());
            }
            LockSupport.parkNanos(PAUSE);
        }
    }
}
