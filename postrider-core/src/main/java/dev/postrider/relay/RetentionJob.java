package dev.postrider.relay;

import dev.postrider.admin.Retention;
import dev.postrider.admin.RetentionStep;
import dev.postrider.admin.RetentionStore;
import dev.postrider.thread.SupervisedThread;
import java.time.Duration;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes what is no longer kept, on a thread of its own: small batches with a pause after each, so that deliveries are
 * not held up. Every process may have one. Thread-safe.
 */
public final class RetentionJob implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(RetentionJob.class);
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(15);

    private final RetentionStore store;
    private final Retention policy;
    private final int batchSize;
    private final Duration pause;
    private final Duration shortest;
    private final Duration longest;
    private final Signal stop = new Signal();
    private final SupervisedThread thread = new SupervisedThread("outbox-retention", this::loop);
    private volatile RetentionStep total = RetentionStep.nothing();
    private volatile boolean closed;
    private boolean started;
    private boolean healthy = true;

    private RetentionJob(Builder builder, RetentionStore store) {
        this.store = store;
        this.policy = builder.policy;
        this.batchSize = builder.batchSize;
        this.pause = builder.pause;
        this.shortest = builder.shortest;
        this.longest = builder.longest;
    }

    /** Starts configuring a job; the store is the only required part. */
    public static Builder builder(RetentionStore store) {
        return new Builder(store);
    }

    /** Starts the thread; the first run is at once. */
    public synchronized RetentionJob start() {
        if (started || closed) {
            throw new IllegalStateException("This job was started before; make a new one");
        }
        log.info("Keeping rows by {}", policy);
        thread.start();
        started = true;
        return this;
    }

    /** Returns what was removed since the start. */
    public RetentionStep total() {
        return total;
    }

    /** Returns how often the thread ended by an error and was started again. */
    public long restarts() {
        return thread.restarts();
    }

    /** Lets the batch that is under way be the last one, and waits for it. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        stop.raise();
        if (!thread.end(STOP_PATIENCE)) {
            thread.interrupt();
        }
    }

    private void loop() throws InterruptedException {
        Duration wait = shortest;
        while (!closed) {
            long before = total.removed();
            run();
            wait = total.removed() > before || !healthy ? shortest : longer(wait);
            if (!closed) {
                stop.await(wait.toNanos());
            }
        }
    }

    // An exception is logged once; a database that is away must not end the job for ever.
    private void run() throws InterruptedException {
        try {
            boolean ended = false;
            while (!ended && !closed) {
                RetentionStep step = store.step(policy, batchSize);
                total = total.then(step);
                ended = step.ended();
                if (!ended && !closed) {
                    stop.await(pause.toNanos());
                }
            }
            if (!healthy) {
                log.info("Rows that are no longer kept can be removed again");
            }
            healthy = true;
        } catch (RuntimeException e) {
            if (healthy) {
                log.warn("Could not remove what is no longer kept; going on trying", e);
            }
            healthy = false;
        }
    }

    private Duration longer(Duration wait) {
        Duration twice = wait.multipliedBy(2);
        return twice.compareTo(longest) > 0 ? longest : twice;
    }

    /** Collects the parts of a {@link RetentionJob}. Not thread-safe. */
    public static final class Builder {

        private static final int MAX_BATCH = 10_000;

        private final RetentionStore store;
        private Retention policy = Retention.defaults();
        private int batchSize = 200;
        private Duration pause = Duration.ofMillis(20);
        private Duration shortest = Duration.ofMinutes(1);
        private Duration longest = Duration.ofHours(1);

        private Builder(RetentionStore store) {
            this.store = Objects.requireNonNull(store, "store");
        }

        /** Sets how long things are kept. Default {@link Retention#defaults()}. */
        public Builder policy(Retention value) {
            this.policy = Objects.requireNonNull(value, "policy");
            return this;
        }

        /** Sets how many rows one transaction removes. Default 200. */
        public Builder batchSize(int size) {
            if (size < 1 || size > MAX_BATCH) {
                throw new IllegalArgumentException(
                        "batchSize must be between 1 and %d but was %d".formatted(MAX_BATCH, size));
            }
            this.batchSize = size;
            return this;
        }

        /** Sets how long to wait after each batch. Default 20 ms. */
        public Builder pause(Duration value) {
            if (value.isNegative()) {
                throw new IllegalArgumentException("pause must not be negative but was " + value);
            }
            this.pause = value;
            return this;
        }

        /**
         * Sets how long to wait for the next run after one that removed something, and at most, the wait doubling,
         * after those that did not. Default 1 minute and 1 hour.
         */
        public Builder interval(Duration afterWork, Duration atMost) {
            if (afterWork.isNegative() || afterWork.isZero()) {
                throw new IllegalArgumentException("afterWork must be positive but was " + afterWork);
            }
            if (atMost.compareTo(afterWork) < 0) {
                throw new IllegalArgumentException(
                        "atMost %s is shorter than afterWork %s".formatted(atMost, afterWork));
            }
            this.shortest = afterWork;
            this.longest = atMost;
            return this;
        }

        /** Builds the job; nothing runs yet. */
        public RetentionJob build() {
            return build(store);
        }

        /** Builds a job with these settings that removes the rows of another store; nothing runs yet. */
        public RetentionJob build(RetentionStore other) {
            return new RetentionJob(this, Objects.requireNonNull(other, "other"));
        }
    }
}
