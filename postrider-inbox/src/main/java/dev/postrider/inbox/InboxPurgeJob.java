package dev.postrider.inbox;

import dev.postrider.admin.Retention;
import dev.postrider.admin.RetentionStep;
import dev.postrider.relay.RetentionJob;
import dev.postrider.spi.ErrorText;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Purges an inbox on a thread of its own: removes marks, failures and discarded messages that are older than its
 * retention, in small batches with a pause after each. Every process may have one. Thread-safe.
 */
public final class InboxPurgeJob implements AutoCloseable {

    private final JdbcInbox inbox;
    private final RetentionJob job;
    private volatile @Nullable String failure;

    private InboxPurgeJob(Builder builder) {
        this.inbox = builder.inbox;
        this.job = builder.job.build((policy, limit) -> step(limit));
    }

    /** Starts configuring a job; the inbox is the only required part. */
    public static Builder builder(JdbcInbox inbox) {
        return new Builder(inbox);
    }

    /** Starts the thread; the first run is at once. */
    public InboxPurgeJob start() {
        job.start();
        return this;
    }

    /** Returns how many rows were removed since the start. */
    public long removed() {
        return job.total().removed();
    }

    /** Returns what the last batch failed with; empty if it succeeded. */
    public Optional<String> failure() {
        return Optional.ofNullable(failure);
    }

    /** Lets the batch that is under way be the last one, and waits for it. */
    @Override
    public void close() {
        job.close();
    }

    private RetentionStep step(int limit) {
        try {
            int removed = inbox.purge(limit);
            failure = null;
            return new RetentionStep(removed, 0, 0, 0, 0, removed < limit);
        } catch (RuntimeException | Error e) {
            failure = ErrorText.of(e);
            throw e;
        }
    }

    /** Collects the parts of an {@link InboxPurgeJob}. Not thread-safe. */
    public static final class Builder {

        private final JdbcInbox inbox;
        // Each job that is built brings a store of its own.
        private final RetentionJob.Builder job = RetentionJob.builder((policy, limit) -> RetentionStep.nothing())
                .policy(Retention.forEver())
                .batchSize(1_000);

        private Builder(JdbcInbox inbox) {
            this.inbox = Objects.requireNonNull(inbox, "inbox");
        }

        /** Sets how many rows one transaction removes. Default 1,000. */
        public Builder batchSize(int size) {
            job.batchSize(size);
            return this;
        }

        /** Sets how long to wait after each batch. Default 20 ms. */
        public Builder pause(Duration value) {
            job.pause(value);
            return this;
        }

        /**
         * Sets how long to wait for the next run after one that removed something, and at most, the wait doubling,
         * after those that did not. Default 1 minute and 1 hour.
         */
        public Builder interval(Duration afterWork, Duration atMost) {
            job.interval(afterWork, atMost);
            return this;
        }

        /** Builds the job; nothing runs yet. */
        public InboxPurgeJob build() {
            return new InboxPurgeJob(this);
        }
    }
}
