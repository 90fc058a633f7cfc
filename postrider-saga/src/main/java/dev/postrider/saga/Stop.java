package dev.postrider.saga;

import java.util.Collection;

/**
 * Tells threads that run sagas when to stop. What fails on a thread that was interrupted in order to stop says nothing
 * about the step it failed in. Thread-safe.
 */
final class Stop {

    private final boolean ownThreads;
    private volatile boolean requested;
    private volatile boolean interrupting;

    private Stop(boolean ownThreads) {
        this.ownThreads = ownThreads;
    }

    /** Returns the stop of threads that belong to a runner: {@link #request} and {@link #interrupt} decide. */
    static Stop ofRunner() {
        return new Stop(true);
    }

    /** Returns the stop of the calling thread: an interrupt asks for it. */
    static Stop ofCaller() {
        return new Stop(false);
    }

    /** Lets no further step begin. */
    void request() {
        requested = true;
    }

    /** Interrupts the steps that are under way. */
    void interrupt(Collection<Thread> threads) {
        requested = true;
        interrupting = true;
        threads.forEach(Thread::interrupt);
    }

    boolean requested() {
        return ownThreads ? requested : Thread.currentThread().isInterrupted();
    }

    boolean interrupted() {
        return ownThreads ? interrupting : Thread.currentThread().isInterrupted();
    }

    /** Forgets an interrupt that a step left on a runner's thread. Ask {@link #requested} afterwards. */
    void forgetStrayInterrupt() {
        if (ownThreads) {
            Thread.interrupted();
        }
    }
}
