package dev.postrider.spring.boot.internal;

import org.springframework.context.SmartLifecycle;

/** Starts and stops a part that never starts again after a stop. */
public final class StartStop implements SmartLifecycle {

    // Between the web server and the relay, which still delivers what the last messages enqueued.
    private static final int BEFORE_RELAY_STOPS = Integer.MAX_VALUE - 3072;

    private final Runnable start;
    private final Runnable stop;
    private volatile boolean running;

    public StartStop(Runnable start, Runnable stop) {
        this.start = start;
        this.stop = stop;
    }

    @Override
    public void start() {
        try {
            start.run();
            running = true;
        } finally {
            if (!running) {
                // A part of it may have started.
                stop.run();
            }
        }
    }

    @Override
    public void stop() {
        running = false;
        stop.run();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return BEFORE_RELAY_STOPS;
    }

    /** A paused test context keeps it. */
    @Override
    public boolean isPauseable() {
        return false;
    }
}
