package dev.postrider.relay;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one step of a relay over and over on a thread of its own. Whatever a turn throws is reported and the turn is
 * tried again after a pause; a thread that dies all the same is replaced by {@link #revive}. Thread-safe.
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
    private volatile boolean running;
    private volatile long successNanos;
    private volatile long turnNanos;
    private volatile boolean turning;
    private volatile boolean succeeded;
    private volatile @Nullable Throwable failure;
    private volatile @Nullable Thread thread;

    LoopThread(String name, Turn turn, Signal signal, RelayConfig config) {
        this.name = name;
        this.turn = turn;
        this.signal = signal;
        this.config = config;
    }

    synchronized void start() {
        running = true;
        turning = false;
        if (thread == null) {
            successNanos = config.nanoTime.getAsLong();
        }
        Thread next = new Thread(this::loop, "outbox-" + config.relay + "-" + name);
        next.setDaemon(true);
        next.start();
        thread = next;
    }

    /** Starts a new thread if the old one died. */
    synchronized void revive() {
        if (died()) {
            log.warn("The {} loop of relay {} died; starting it again", name, config.relay);
            start();
        }
    }

    /** Lets the turn that is under way be the last one. */
    void stop() {
        running = false;
        signal.raise();
    }

    /** Waits a moment for the last turn, then interrupts it. */
    void join(Duration patience) {
        Thread current = thread;
        if (current == null) {
            return;
        }
        try {
            current.join(patience.toMillis());
            current.interrupt();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns whether the thread ended although the loop was not stopped. */
    synchronized boolean died() {
        Thread current = thread;
        return running && current != null && !current.isAlive();
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

    private void loop() {
        Backoff backoff = new Backoff(FIRST_PAUSE, LONGEST_PAUSE, config.random);
        while (running) {
            turnNanos = config.nanoTime.getAsLong();
            turning = true;
            long wait = turn(backoff);
            turning = false;
            try {
                signal.await(wait);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    // The one place that catches everything: an Error in a turn must not silence the relay for ever.
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
        } catch (Throwable e) {
            if (healthy() && running) {
                log.warn("The {} loop of relay {} failed and goes on trying", name, config.relay, e);
            }
            failure = e;
            config.listener.turnFailed(name, e);
            return backoff.failed();
        }
    }
}
