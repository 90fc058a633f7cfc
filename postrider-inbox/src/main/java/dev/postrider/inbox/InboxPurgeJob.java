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
        this.job = RetentionJob.builder((policy, limit) -> step(limit))
                .policy(Retention.forEver())
                .batchSize(builder.batchSize)
                .pause(builder.pause)
                .interval(builder.shortest, builder.longest)
                .build();
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

        private static final int MAX_BATCH = 10_000;

        private final JdbcInbox inbox;
        private int batchSize = 1_000;
        private Duration pause = Duration.ofMillis(20);
        private Duration shortest = Duration.ofMinutes(1);
        private Duration longest = Duration.ofHours(1);

        private Builder(JdbcInbox inbox) {
            this.inbox = Objects.requireNonNull(inbox, "inbox");
        }

        /** Sets how many rows one transaction removes. Default 1,000. */
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
        public InboxPurgeJob build() {
            return new InboxPurgeJob(this);
        }
    }
}
