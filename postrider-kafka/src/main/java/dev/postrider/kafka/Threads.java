package dev.postrider.kafka;

import dev.postrider.thread.SupervisedThread;
import dev.postrider.thread.WorkerPool;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The publisher's own threads, for everything that may block. None runs before the first message. */
final class Threads {

    static final int TRANSACTIONS = 8;

    private static final Logger log = LoggerFactory.getLogger(Threads.class);
    private static final int LOOKUPS = 4;
    private static final Duration IDLE = Duration.ofSeconds(10);
    private static final Duration TICK = Duration.ofMillis(100);

    private final Runnable tick;
    private final WorkerPool lookups;
    private final WorkerPool transactions;
    private final SupervisedThread clock = new SupervisedThread("postrider-kafka-clock", this::keepTicking);

    Threads(int transactionThreads, Runnable tick) {
        this.tick = tick;
        this.lookups = pool("postrider-kafka-lookup", LOOKUPS);
        this.transactions = pool("postrider-kafka-transaction", Math.max(1, transactionThreads));
    }

    /** For finding topics, and for making and ending producers. */
    Executor lookups() {
        return lookups;
    }

    Executor transactions() {
        return transactions;
    }

    void startTicking() {
        clock.start();
    }

    private void keepTicking() throws InterruptedException {
        while (!lookups.isShutdown()) {
            TimeUnit.NANOSECONDS.sleep(TICK.toNanos());
            tickSafely();
        }
    }

    private void tickSafely() {
        try {
            tick.run();
        } catch (RuntimeException e) {
            log.warn("Could not look after unanswered messages", e);
        }
    }

    long restarts() {
        return lookups.restarts() + transactions.restarts() + clock.restarts();
    }

    void close() {
        lookups.shutdown();
        transactions.shutdown();
        clock.interrupt();
    }

    // What is handed over after the end is dropped: by then every message has its answer.
    private static WorkerPool pool(String name, int size) {
        WorkerPool pool = new WorkerPool(name, size, IDLE);
        pool.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
        return pool;
    }
}
