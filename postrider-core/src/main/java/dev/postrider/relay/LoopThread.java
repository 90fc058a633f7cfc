package dev.postrider.relay;

import dev.postrider.thread.SupervisedThread;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one step of a relay over and over on a thread of its own. An exception of a turn is reported and the turn is
 * tried again after a pause; an Error restarts the loop. Thread-safe.
 */
final class LoopThread {

    private static final Logger log = LoggerFactory.getLogger(LoopThread.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    /** One step; returns how many nanoseconds to wait before the next unless a signal comes. */
    @FunctionalInterface
    interface Turn {
        long run() throws Exception;
    }

    private final String name;
    private final Turn turn;
    private final Signal signal;
    private final RelayConfig config;
    private final SupervisedThread thread;
    private volatile boolean running;
    private volatile long successNanos;
    private volatile long turnNanos;
    private volatile boolean turning;
    private volatile boolean succeeded;
    private volatile @Nullable Throwable failure;

    LoopThread(String name, Turn turn, Signal signal, RelayConfig config) {
        this.name = name;
        this.turn = turn;
        this.signal = signal;
        this.config = config;
        this.thread = new SupervisedThread("outbox-" + config.relay + "-" + name, this::loop);
    }

    void start() {
        running = true;
        successNanos = config.nanoTime.getAsLong();
        thread.start();
    }

    /** Lets the turn that is under way be the last one. */
    void stop() {
        running = false;
        signal.raise();
    }

    /** Waits a moment for the last turn, then interrupts it. */
    void join(Duration patience) {
        if (!thread.end(patience)) {
            thread.interrupt();
        }
    }

    /** Returns whether the thread ended although the loop was not stopped. */
    boolean died() {
        return running && !thread.isAlive();
    }

    /** Returns how often the loop ended by an error and was started again. */
    long restarts() {
        return thread.restarts();
    }

    /** Returns how long the turn that is under way has been running; zero between two turns. */
    Duration turnTime() {
        // In this order: the begin is written before the flag.
        return turning ? Duration.ofNanos(config.nanoTime.getAsLong() - turnNanos) : Duration.ZERO;
    }

    /** Returns how long ago the last successful turn ended, or the loop started. */
    Duration sinceSuccess() {
        return Duration.ofNanos(config.nanoTime.getAsLong() - successNanos);
    }

    /** Returns whether a turn ever succeeded. */
    boolean succeeded() {
        return succeeded;
    }

    String name() {
        return name;
    }

    /** Returns whether the last turn did what it should. */
    boolean healthy() {
        return failure == null;
    }

    String failure() {
        return name + ": " + failure;
    }

    private void loop() throws InterruptedException {
        Backoff backoff = new Backoff(FIRST_PAUSE, LONGEST_PAUSE, config.random);
        while (running) {
            turnNanos = config.nanoTime.getAsLong();
            turning = true;
            long wait;
            try {
                wait = turn(backoff);
            } finally {
                turning = false;
            }
            signal.await(wait);
        }
    }

    private long turn(Backoff backoff) {
        try {
            long wait = turn.run();
            if (!healthy()) {
                log.info("The {} loop of relay {} works again", name, config.relay);
            }
            failure = null;
            successNanos = config.nanoTime.getAsLong();
            succeeded = true;
            backoff.succeeded();
            return wait;
        } catch (Exception e) {
            if (healthy() && running) {
                log.warn("The {} loop of relay {} failed and goes on trying", name, config.relay, e);
            }
            failure = e;
            config.listener.turnFailed(name, e);
            return backoff.failed();
        } catch (Error e) {
            failure = e;
            config.listener.turnFailed(name, e);
            throw e;
        }
    }
}
