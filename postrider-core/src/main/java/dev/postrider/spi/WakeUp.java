package dev.postrider.spi;

import java.time.Duration;

/**
 * Carries "something was enqueued" between processes. Correctness never depends on it. Implementations are thread-safe.
 */
public interface WakeUp extends AutoCloseable {

    /** Tells every waiting relay to look now. To be called after the commit, never inside the business transaction. */
    void signal();

    /** Waits for a signal from any process; returns false if none came in time. */
    boolean await(Duration timeout) throws InterruptedException;

    @Override
    void close();
}
