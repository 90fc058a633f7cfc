package dev.postrider.thread;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs a loop on a daemon thread until the loop returns. A loop that throws, also an {@link Error}, is logged, counted
 * and run again after a pause. So is one that was interrupted by anything but {@link #interrupt}. Thread-safe.
 */
public final class SupervisedThread {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
    private static final int MAX_DOUBLINGS = 10;

    private final String name;
    private final Loop loop;
    private final Restarts restarts;
    private final CountDownLatch ending = new CountDownLatch(1);
    private volatile @Nullable Thread thread;

    /** Work that returns when it is told to end. */
    @FunctionalInterface
    public interface Loop {

        /** Works. Runs again on the same thread if it throws, so what must not be lost is in a field. */
        void run() throws Exception;
    }

    /** Starts nothing yet. */
    public SupervisedThread(String name, Loop loop) {
        this.name = name;
        this.loop = loop;
        this.restarts = new Restarts(name);
    }

    /** Starts the thread, unless it was started before. */
    public synchronized void start() {
        if (thread == null) {
            Thread next = Daemons.thread(this::supervise, name);
            next.start();
            thread = next;
        }
    }

    /** The name of the thread. */
    public String name() {
        return name;
    }

    /** Returns whether the thread was started and has not ended. */
    public boolean isAlive() {
        Thread current = thread;
        return current != null && current.isAlive();
    }

    /** Returns how often the loop ended by an error and was run again. */
    public long restarts() {
        return restarts.count();
    }

    /**
     * Waits for the loop to end, which has to be told before, and runs it again no more. Keeps the caller's interrupt
     * flag.
     *
     * @return whether it has ended, or was never started
     */
    public boolean end(Duration patience) {
        ending.countDown();
        Thread current = thread;
        if (current == null) {
            return true;
        }
        try {
            current.join(Math.max(1, patience.toMillis()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return !current.isAlive();
    }

    /** Interrupts the loop and runs it again no more. Does not wait. */
    public void interrupt() {
        ending.countDown();
        Thread current = thread;
        if (current != null) {
            current.interrupt();
        }
    }

    private void supervise() {
        int failures = 0;
        boolean again = true;
        while (again) {
            long begun = System.nanoTime();
            try {
                loop.run();
                again = false;
            } catch (Throwable e) {
                // The one place that catches everything: no error of a loop may end its thread.
                again = ending.getCount() > 0;
                failures = System.nanoTime() - begun > LONGEST_PAUSE.toNanos() ? 1 : failures + 1;
                if (again) {
                    restarts.add(e, failures);
                    pause(failures);
                } else {
                    restarts.ended(e);
                }
            }
        }
    }

    // Ended by close, so that the loop can put in order what the error left.
    private void pause(int failures) {
        long doubled = FIRST_PAUSE.toMillis() << Math.min(failures - 1, MAX_DOUBLINGS);
        try {
            boolean unused = ending.await(Math.min(doubled, LONGEST_PAUSE.toMillis()), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            if (ending.getCount() == 0) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
