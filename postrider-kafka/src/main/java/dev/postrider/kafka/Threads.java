package dev.postrider.kafka;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The publisher's own threads, for everything that may block. None runs before the first message. */
final class Threads {

    static final int TRANSACTIONS = 8;

    private static final Logger log = LoggerFactory.getLogger(Threads.class);
    private static final int LOOKUPS = 4;
    private static final Duration TICK = Duration.ofMillis(100);

    private final AtomicInteger names = new AtomicInteger();
    private final AtomicBoolean ticking = new AtomicBoolean();
    private final Runnable tick;
    private final ThreadPoolExecutor lookups;
    private final ThreadPoolExecutor transactions;
    private final ScheduledThreadPoolExecutor clock;

    Threads(int transactionThreads, Runnable tick) {
        this.tick = tick;
        this.lookups = pool(LOOKUPS);
        this.transactions = pool(Math.max(1, transactionThreads));
        this.clock = new ScheduledThreadPoolExecutor(1, factory(), new ThreadPoolExecutor.DiscardPolicy());
    }

    /** For finding topics, and for making and ending producers. */
    Executor lookups() {
        return lookups;
    }

    Executor transactions() {
        return transactions;
    }

    void startTicking() {
        if (ticking.compareAndSet(false, true)) {
            Future<?> unused = clock.scheduleWithFixedDelay(
                    this::tickSafely, TICK.toMillis(), TICK.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    // One bad tick must not be the last one.
    private void tickSafely() {
        try {
            tick.run();
        } catch (RuntimeException e) {
            log.warn("Could not look after unanswered messages", e);
        }
    }

    void close() {
        clock.shutdownNow();
        lookups.shutdown();
        transactions.shutdown();
    }

    // What is handed over after the end is dropped: by then every message has its answer.
    private ThreadPoolExecutor pool(int size) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                size,
                size,
                10,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                factory(),
                new ThreadPoolExecutor.DiscardPolicy());
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    private ThreadFactory factory() {
        return task -> {
            Thread thread = new Thread(task, "postrider-kafka-" + names.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}
