package dev.postrider.relay;

import dev.postrider.spi.WakeUp;
import dev.postrider.thread.SupervisedThread;
import java.time.Duration;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells relays in other processes that something was committed. Many commits in a short time become one signal, sent by
 * a thread of its own, so that no business transaction waits for it. Thread-safe.
 */
public final class CommitSignal implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(CommitSignal.class);
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);

    private final WakeUp channel;
    private final long quietNanos;
    private final Signal committed = new Signal();
    private final Signal pause = new Signal();
    private final SupervisedThread thread = new SupervisedThread("outbox-commit-signal", this::loop);
    private boolean started;
    private volatile boolean closed;

    /**
     * Sends through {@code channel} at most once per {@code quiet} time; a few milliseconds suit most.
     *
     * @throws IllegalArgumentException if {@code quiet} is not positive
     */
    public CommitSignal(WakeUp channel, Duration quiet) {
        this.channel = Objects.requireNonNull(channel, "channel");
        if (quiet.isNegative() || quiet.isZero()) {
            throw new IllegalArgumentException("quiet must be positive but was " + quiet);
        }
        this.quietNanos = quiet.toNanos();
    }

    /** Starts sending. */
    public synchronized CommitSignal start() {
        if (started || closed) {
            throw new IllegalStateException("This signal was started before; make a new one");
        }
        thread.start();
        started = true;
        return this;
    }

    /** Returns how often the thread ended by an error and was started again. */
    public long restarts() {
        return thread.restarts();
    }

    /** Something was committed. Never blocks; to be called after the commit. */
    public void committed() {
        committed.raise();
    }

    @Override
    public synchronized void close() {
        closed = true;
        committed.raise();
        pause.raise();
    }

    private void loop() throws InterruptedException {
        boolean healthy = true;
        while (!closed) {
            committed.awaitRaised();
            if (closed) {
                return;
            }
            healthy = send(healthy);
            pause.await(healthy ? quietNanos : PAUSE_AFTER_FAILURE.toNanos());
        }
    }

    // A signal is a convenience: relays poll as well, so a failure is worth one line and a pause, no more.
    private boolean send(boolean healthy) {
        try {
            channel.signal();
            return true;
        } catch (RuntimeException e) {
            if (healthy) {
                log.warn("Could not signal a commit to other processes; their relays find it by polling", e);
            }
            return false;
        }
    }
}
