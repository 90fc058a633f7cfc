package dev.postrider.relay;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Wakes one waiting thread; a signal raised while nobody waits is kept. Thread-safe. */
final class Signal {

    private final Semaphore raised = new Semaphore(0);

    void raise() {
        if (raised.availablePermits() == 0) {
            raised.release();
        }
    }

    void await(long nanos) throws InterruptedException {
        if (nanos > 0 && raised.tryAcquire(nanos, TimeUnit.NANOSECONDS)) {
            raised.drainPermits();
        }
    }

    void awaitRaised() throws InterruptedException {
        raised.acquire();
        raised.drainPermits();
    }
}
