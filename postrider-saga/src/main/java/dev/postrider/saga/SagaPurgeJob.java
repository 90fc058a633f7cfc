package dev.postrider.saga;

import dev.postrider.admin.Page;
import dev.postrider.spi.ErrorText;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes finished sagas and what participants remember of old commands, on a thread of its own: small transactions
 * with a pause after each. Sagas that are locked are left for the next run, and each statement ends after 30 seconds.
 * Every process may have one. Thread-safe.
 */
public final class SagaPurgeJob implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(SagaPurgeJob.class);
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(15);

    private final SagaAdmin admin;
    private final @Nullable Duration keepSagas;
    private final @Nullable Duration keepParticipants;
    private final int batchSize;
    private final Duration pause;
    private final Duration shortest;
    private final Duration longest;
    private final Clock clock = Clock.systemUTC();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile Health health = new Health(false, 0, 0, null, null);
    private @Nullable Thread thread;

    private SagaPurgeJob(Builder builder) {
        this.admin = builder.admin;
        this.keepSagas = builder.keepSagas;
        this.keepParticipants = builder.keepParticipants;
        this.batchSize = builder.batchSize;
        this.pause = builder.pause;
        this.shortest = builder.shortest;
        this.longest = builder.longest;
    }

    /** Starts configuring a job; the admin of the tables is the only required part. */
    public static Builder builder(SagaAdmin admin) {
        return new Builder(admin);
    }

    /** Starts the thread; the first run is at once. */
    public synchronized SagaPurgeJob start() {
        if (thread != null || isClosed()) {
            throw new IllegalStateException("This job was started before; make a new one");
        }
        log.info("Keeping finished sagas for {} and participants for {}", keepSagas, keepParticipants);
        health = new Health(true, 0, 0, null, null);
        thread = new Thread(this::loop, "saga-purge");
        thread.setDaemon(true);
        thread.start();
        return this;
    }

    /** Returns how the job is. */
    public Health health() {
        return health;
    }

    /** Lets the batch that is under way be the last one, and waits for it, at most 15 seconds. */
    @Override
    public void close() {
        Thread running;
        synchronized (this) {
            closed.countDown();
            running = thread;
        }
        if (running == null) {
            return;
        }
        try {
            running.join(STOP_PATIENCE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        running.interrupt();
    }

    private boolean isClosed() {
        return closed.getCount() == 0;
    }

    private void loop() {
        Duration wait = shortest;
        try {
            while (!isClosed()) {
                long before = health.removed();
                run();
                boolean soon = health.removed() > before || health.error() != null;
                wait = soon ? shortest : longer(wait);
                await(wait);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            health = health.stopped();
        }
    }

    // Whatever a run throws is logged once; a database that is away must not end the job for ever.
    private void run() throws InterruptedException {
        try {
            if (keepSagas != null) {
                Duration age = keepSagas;
                drain(() -> {
                    int sagas = admin.purge(age, batchSize);
                    health = health.removing(sagas, 0);
                    return sagas;
                });
            }
            if (keepParticipants != null) {
                Duration age = keepParticipants;
                drain(() -> {
                    int participants = admin.purgeParticipants(age, batchSize);
                    health = health.removing(0, participants);
                    return participants;
                });
            }
            if (health.error() != null) {
                log.info("Old sagas can be removed again");
            }
            health = health.succeeded(clock.instant());
        } catch (RuntimeException | Error e) {
            if (health.error() == null) {
                log.warn("Could not remove old sagas; going on trying", e);
            }
            health = health.failed(e);
        }
    }

    private void drain(IntSupplier batch) throws InterruptedException {
        boolean more = true;
        while (more && !isClosed()) {
            more = batch.getAsInt() >= batchSize;
            if (more) {
                await(pause);
            }
        }
    }

    // Returns early when the job is closed.
    private void await(Duration time) throws InterruptedException {
        if (closed.await(time.toNanos(), TimeUnit.NANOSECONDS)) {
            log.debug("Closed");
        }
    }

    private Duration longer(Duration wait) {
        Duration twice = wait.multipliedBy(2);
        return twice.compareTo(longest) > 0 ? longest : twice;
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

        private long removed() {
            return sagas + participants;
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

        private Health stopped() {
            return new Health(false, sagas, participants, lastSuccess, error);
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
