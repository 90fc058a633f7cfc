package dev.postrider.thread;

import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * One daemon thread that runs tasks at their time. A task that throws is logged and counted; a periodic one runs again
 * at its next time. Cancelled tasks are forgotten at once. Thread-safe.
 */
public final class TimerThread extends ScheduledThreadPoolExecutor {

    private final Restarts restarts;

    /** Starts nothing yet. */
    public TimerThread(String name) {
        super(1, Daemons.numbered(name));
        this.restarts = new Restarts(name);
        setRemoveOnCancelPolicy(true);
    }

    /** Returns how many runs of tasks ended by an error. */
    public long restarts() {
        return restarts.count();
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
        return super.schedule(guarded(task), delay, unit);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, long first, long delay, TimeUnit unit) {
        return super.scheduleWithFixedDelay(guarded(task), first, delay, unit);
    }

    // What escapes from a task is otherwise kept in a future that nobody asks.
    private Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (Throwable e) {
                restarts.add(e, 1);
            }
        };
    }
}
