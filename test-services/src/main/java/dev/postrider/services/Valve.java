package dev.postrider.services;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Lets one direction of a {@link TcpProxy} through, or holds it back. */
final class Valve {

    // A connection that is closed meanwhile is noticed after this time at the latest.
    private static final long LOOK_UP_MILLIS = 50;

    private boolean open = true;
    private volatile long delayMillis;

    synchronized void open() {
        open = true;
        notifyAll();
    }

    synchronized void shut() {
        open = false;
    }

    /** Lets everything through later by this time from now on. */
    void delay(Duration time) {
        delayMillis = time.toMillis();
    }

    /** Waits for the delay, if there is one. */
    void pause() throws InterruptedException {
        if (delayMillis > 0) {
            TimeUnit.MILLISECONDS.sleep(delayMillis);
        }
    }

    /** Waits until the valve is open or {@code gone} is true. */
    synchronized void await(BooleanSupplier gone) throws InterruptedException {
        while (!open && !gone.getAsBoolean()) {
            wait(LOOK_UP_MILLIS);
        }
    }
}
