package dev.postrider.thread;

import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A fixed number of daemon threads that run tasks, started when needed and ended when idle. A thread whose task throws
 * is replaced, logged and counted. Thread-safe.
 */
public final class WorkerPool extends ThreadPoolExecutor {

    private final Restarts restarts;

    /** Starts nothing yet. */
    public WorkerPool(String name, int threads, Duration idle) {
        super(
                threads,
                threads,
                idle.toMillis(),
                TimeUnit.MILLISECONDS,
                new LinkedBlockingQueue<>(),
                Daemons.numbered(name));
        this.restarts = new Restarts(name);
        allowCoreThreadTimeOut(true);
    }

    /** Returns how many threads ended by an error of their task and were replaced. */
    public long restarts() {
        return restarts.count();
    }

    @Override
    protected void afterExecute(Runnable task, @Nullable Throwable thrown) {
        if (thrown != null) {
            restarts.add(thrown, 1);
        }
    }
}
