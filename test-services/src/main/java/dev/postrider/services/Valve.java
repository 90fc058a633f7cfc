package dev.postrider.services;

import java.util.function.BooleanSupplier;

/** Lets one direction of a {@link TcpProxy} through, or holds it back. */
final class Valve {

    // A connection that is closed meanwhile is noticed after this time at the latest.
    private static final long LOOK_UP_MILLIS = 50;

    private boolean open = true;

    synchronized void open() {
        open = true;
        notifyAll();
    }

    synchronized void shut() {
        open = false;
    }

    /** Waits until the valve is open or {@code gone} is true. */
    synchronized void await(BooleanSupplier gone) throws InterruptedException {
        while (!open && !gone.getAsBoolean()) {
            wait(LOOK_UP_MILLIS);
        }
    }
}
