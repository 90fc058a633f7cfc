package dev.postrider.spring.boot.relay;

import dev.postrider.relay.Relay;
import dev.postrider.spring.boot.internal.AfterCommit;
import org.springframework.context.SmartLifecycle;

/** Starts the relay after the application's beans, and stops it after its web server, before the pools close. */
final class RelayLifecycle implements SmartLifecycle {

    // Below the web server's, which is Integer.MAX_VALUE - 2048: the messages of its last requests are delivered.
    private static final int PHASE = Integer.MAX_VALUE - 4096;

    private final Relay relay;
    private final AfterCommit afterCommit;
    private volatile boolean running;

    RelayLifecycle(Relay relay, AfterCommit afterCommit) {
        this.relay = relay;
        this.afterCommit = afterCommit;
    }

    @Override
    public void start() {
        relay.start();
        afterCommit.add(relay::wake);
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        relay.close();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    /** A relay that was stopped never starts again, so a paused test context keeps it. */
    @Override
    public boolean isPauseable() {
        return false;
    }
}
