package dev.postrider.saga;

import dev.postrider.admin.Page;
import dev.postrider.admin.Retention;
import dev.postrider.admin.RetentionStep;
import dev.postrider.relay.RetentionJob;
import dev.postrider.spi.ErrorText;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Removes finished sagas and what participants remember of old commands, on a thread of its own: small transactions
 * with a pause after each. Sagas that are locked are left for the next run, and each statement ends after 30 seconds.
 * Every process may have one. Thread-safe.
 */
public final class SagaPurgeJob implements AutoCloseable {

    private final SagaAdmin admin;
    private final @Nullable Duration keepSagas;
    private final @Nullable Duration keepParticipants;
    private final RetentionJob job;
    private final Clock clock = Clock.systemUTC();
    private final AtomicReference<Health> health = new AtomicReference<>(new Health(false, 0, 0, null, null));

    private SagaPurgeJob(Builder builder) {
        this.admin = builder.admin;
        this.keepSagas = builder.keepSagas;
        this.keepParticipants = builder.keepParticipants;
        this.job = RetentionJob.builder((policy, limit) -> step(limit))
                .policy(Retention.forEver())
                .batchSize(builder.batchSize)
                .pause(builder.pause)
                .interval(builder.shortest, builder.longest)
                .build();
    }

    /** Starts configuring a job; the admin of the tables is the only required part. */
    public static Builder builder(SagaAdmin admin) {
        return new Builder(admin);
    }

    /** Starts the thread; the first run is at once. */
    public synchronized SagaPurgeJob start() {
        job.start();
        health.updateAndGet(now -> now.running(true));
        return this;
    }

    /** Returns how the job is. */
    public Health health() {
        return Objects.requireNonNull(health.get());
    }

    /** Lets the batch that is under way be the last one, and waits for it, at most 15 seconds. */
    @Override
    public synchronized void close() {
        job.close();
        health.updateAndGet(now -> now.running(false));
    }

    private RetentionStep step(int limit) {
        try {
            int sagas = keepSagas == null ? 0 : admin.purge(keepSagas, limit);
            health.updateAndGet(now -> now.removing(sagas, 0));
            int participants = keepParticipants == null ? 0 : admin.purgeParticipants(keepParticipants, limit);
            health.updateAndGet(now -> now.removing(0, participants));
            boolean ended = sagas < limit && participants < limit;
            if (ended) {
                health.updateAndGet(now -> now.succeeded(clock.instant()));
            }
            return new RetentionStep((long) sagas + participants, 0, 0, 0, 0, ended);
        } catch (RuntimeException | Error e) {
            health.updateAndGet(now -> now.failed(e));
            throw e;
        }
    }

    /**
     * How a job is.
     *
     * @param running whether its thread is at work; false before the start and after the end
     * @param sagas how many sagas were removed since the start
     * @param participants how many rows of participants were removed since the start
     * @param lastSuccess when a run last came to its end, by the clock of this process; null if none did
     * @param error what went wrong in the last run; null if nothing did
     */
    public record Health(
            boolean running,
            long sagas,
            long participants,
            @Nullable Instant lastSuccess,
            @Nullable String error) {

        /** Returns what went wrong in the last run. */
        public Optional<String> failure() {
            return Optional.ofNullable(error);
        }

        private Health removing(int moreSagas, int moreParticipants) {
            return new Health(running, sagas + moreSagas, participants + moreParticipants, lastSuccess, error);
        }

        private Health succeeded(Instant now) {
            return new Health(running, sagas, participants, now, null);
        }

        private Health failed(Throwable thrown) {
            return new Health(running, sagas, participants, lastSuccess, ErrorText.of(thrown));
        }

        private Health running(boolean now) {
            return new Health(now, sagas, participants, lastSuccess, error);
        }
    }

    /** Collects the parts of a {@link SagaPurgeJob}. Not thread-safe. */
    public static final class Builder {

        private final SagaAdmin admin;
        private @Nullable Duration keepSagas = Duration.ofDays(30);
        private @Nullable Duration keepParticipants = Duration.ofDays(90);
        private int batchSize = 200;
        private Duration pause = Duration.ofMillis(20);
        private Duration shortest = Duration.ofMinutes(1);
        private Duration longest = Duration.ofHours(1);

        private Builder(SagaAdmin admin) {
            this.admin = Objects.requireNonNull(admin, "admin");
        }

        /**
         * Sets how long sagas are kept after they have finished; null for ever. Default 30 days. Their business keys
         * are free afterwards. Sagas that are STUCK or not finished always stay.
         */
        public Builder keepSagas(@Nullable Duration value) {
            this.keepSagas = notNegative("keepSagas", value);
            return this;
        }

        /**
         * Sets how long participants remember commands; null for ever. Default 90 days. It must be longer than any saga
         * and any message may take: a command that comes later than that is carried out again.
         */
        public Builder keepParticipants(@Nullable Duration value) {
            this.keepParticipants = notNegative("keepParticipants", value);
            return this;
        }

        /** Sets how many sagas, or rows of participants, one transaction removes. Default 200. */
        public Builder batchSize(int size) {
            if (size < 1 || size > Page.MAX_LIMIT) {
                throw new IllegalArgumentException(
                        "batchSize must be between 1 and %d but was %d".formatted(Page.MAX_LIMIT, size));
            }
            this.batchSize = size;
            return this;
        }

        /** Sets how long to wait after each batch. Default 20 ms. */
        public Builder pause(Duration value) {
            this.pause = Objects.requireNonNull(notNegative("pause", value), "pause");
            return this;
        }

        /**
         * Sets how long to wait for the next run after one that removed something or failed, and at most, the wait
         * doubling, after those that found nothing. Default 1 minute and 1 hour.
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

        /**
         * Builds the job; nothing runs yet.
         *
         * @throws IllegalArgumentException if it would keep everything for ever
         */
        public SagaPurgeJob build() {
            if (keepSagas == null && keepParticipants == null) {
                throw new IllegalArgumentException(
                        "keepSagas and keepParticipants are both null, so there is nothing to remove");
            }
            return new SagaPurgeJob(this);
        }

        private static @Nullable Duration notNegative(String what, @Nullable Duration value) {
            if (value != null && value.isNegative()) {
                throw new IllegalArgumentException("%s must not be negative but was %s".formatted(what, value));
            }
            return value;
        }
    }
}
