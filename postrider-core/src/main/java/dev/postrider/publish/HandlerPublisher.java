package dev.postrider.publish;

import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.ErrorText;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.PublishAnswers;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.TopicName;
import dev.postrider.thread.SupervisedThread;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Delivers messages to handlers in this JVM. Each handler has threads of its own, so that one which hangs holds up no
 * other; messages of one key are handled one after the other, all others at the same time. Thread-safe.
 */
public final class HandlerPublisher implements MessagePublisher {

    static final String CLOSED = "The publisher is closed";
    private static final Duration LAST_MOMENT = Duration.ofSeconds(1);

    private final HandlerSettings settings;
    private final TopicRoutes<HandlerPool> routes;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final SupervisedThread inspector = new SupervisedThread("outbox-handler-inspector", this::inspect);
    private boolean closed;

    private HandlerPublisher(Builder builder) {
        this.settings = builder.settings();
        this.routes = builder.handlers.build(
                (topics, handler) -> new HandlerPool(topics, handler, settings, System::nanoTime));
    }

    /**
     * Makes a publisher with one handler and all defaults.
     *
     * @param pattern {@code topic} or {@code namespace/topic}, as in {@link TopicPattern#of(String)}
     */
    public static HandlerPublisher of(String pattern, MessageHandler handler) {
        return builder().handler(pattern, handler).build();
    }

    /** Starts configuring; at least one handler is required. */
    public static Builder builder() {
        return new Builder();
    }

    @Override
    public void publish(List<ClaimedMessage> wave, PublishAnswers answers) {
        if (!wave.isEmpty()) {
            beginInspecting();
        }
        for (ClaimedMessage claimed : wave) {
            TopicName topic = TopicName.of(claimed.message());
            Optional<HandlerPool> pool = routes.find(topic);
            if (pool.isPresent()) {
                pool.get().accept(claimed, answers);
            } else {
                answers.answer(claimed, noHandler(topic));
            }
        }
    }

    private static PublishResult noHandler(TopicName topic) {
        return PublishResult.unavailable(ErrorText.clean(
                "No handler for topic %s: register one with the HandlerPublisher of this process".formatted(topic)));
    }

    /** Returns how many threads have been in one handler for longer than {@link Builder#slowAfter} allows. */
    public int slowHandlers() {
        return routes.targets().stream().mapToInt(HandlerPool::slow).sum();
    }

    @Override
    public long restarts() {
        return inspector.restarts()
                + routes.targets().stream().mapToLong(HandlerPool::restarts).sum();
    }

    private synchronized void beginInspecting() {
        if (!closed) {
            inspector.start();
        }
    }

    private void inspect() throws InterruptedException {
        while (!closing.await(settings.pause().toMillis(), TimeUnit.MILLISECONDS)) {
            routes.targets().forEach(HandlerPool::inspect);
        }
    }

    /**
     * Gives back messages that do not run yet and waits a bounded time for running handlers. Then it interrupts them
     * and gives back the messages they did not finish.
     */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        closing.countDown();
        List<HandlerPool> pools = routes.targets();
        pools.forEach(HandlerPool::stop);
        await(pools, settings.closeTimeout());
        pools.forEach(HandlerPool::interrupt);
        await(pools, LAST_MOMENT);
        pools.forEach(HandlerPool::abandon);
    }

    // A thread that is interrupted does not wait, also not for the second time.
    private static void await(List<HandlerPool> pools, Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        try {
            for (HandlerPool pool : pools) {
                pool.await(deadline);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Configures a {@link HandlerPublisher}. Every option has a default that suits production. */
    public static final class Builder {

        private static final int MOST_THREADS = 1_000;

        private final TopicRoutes.Builder<MessageHandler> handlers = new TopicRoutes.Builder<>();
        private int threads = 8;
        private Duration maxWait = Duration.ofSeconds(5);
        private Duration slowAfter = Duration.ofSeconds(10);
        private Duration closeTimeout = Duration.ofSeconds(5);
        private Predicate<Exception> rejected = exception -> false;
        private Predicate<Exception> unavailable = exception -> false;
        private boolean exceptionMessages = true;

        private Builder() {}

        /**
         * Hands what matches to this handler, unless an earlier one matches.
         *
         * @throws IllegalArgumentException if an earlier handler leaves nothing for this one
         */
        public Builder handler(TopicPattern pattern, MessageHandler handler) {
            handlers.add(Objects.requireNonNull(pattern, "pattern"), Objects.requireNonNull(handler, "handler"));
            return this;
        }

        /**
         * Hands what matches to this handler, unless an earlier one matches.
         *
         * @param pattern {@code topic} or {@code namespace/topic}, as in {@link TopicPattern#of(String)}
         */
        public Builder handler(String pattern, MessageHandler handler) {
            return handler(TopicPattern.of(pattern), handler);
        }

        /** How many messages each handler may be given at the same time. Default 8. */
        public Builder threads(int count) {
            if (count < 1 || count > MOST_THREADS) {
                throw new IllegalArgumentException(
                        "threads must be between 1 and %d but was %d".formatted(MOST_THREADS, count));
            }
            this.threads = count;
            return this;
        }

        /**
         * How long a message may wait for a thread, or for an earlier message of its key, before it goes back to the
         * outbox. The sum of this time and the time of a handler must stay below the relay's {@code publishTimeout}, or
         * the relay ignores the answer. Default 5 s.
         */
        public Builder maxWait(Duration duration) {
            this.maxWait = positive("maxWait", duration);
            return this;
        }

        /** From when on a handler that runs is counted and reported as slow. Default 10 s. */
        public Builder slowAfter(Duration duration) {
            this.slowAfter = positive("slowAfter", duration);
            return this;
        }

        /** How long {@link HandlerPublisher#close} waits before it interrupts. Default 5 s. */
        public Builder closeTimeout(Duration duration) {
            if (duration.isNegative()) {
                throw new IllegalArgumentException("closeTimeout must not be negative but was " + duration);
            }
            this.closeTimeout = duration;
            return this;
        }

        /**
         * Exceptions that mean the message can never be handled: it is dead at once. Default none but
         * {@link RejectedMessageException}, which always means that.
         */
        public Builder rejectIf(Predicate<Exception> exceptions) {
            this.rejected = Objects.requireNonNull(exceptions, "exceptions");
            return this;
        }

        /**
         * Exceptions that mean that a dependency of the handler cannot be reached, such as a database. No attempt
         * counts, and the topic waits. Default none.
         */
        public Builder unavailableIf(Predicate<Exception> exceptions) {
            this.unavailable = Objects.requireNonNull(exceptions, "exceptions");
            return this;
        }

        /**
         * Whether the texts of exceptions are kept with the message, or only their types. Switch it off if texts may
         * quote payload. Default on.
         */
        public Builder exceptionMessages(boolean kept) {
            this.exceptionMessages = kept;
            return this;
        }

        /**
         * Builds the publisher; no thread is started before the first message.
         *
         * @throws IllegalArgumentException if there is no handler
         */
        public HandlerPublisher build() {
            if (handlers.isEmpty()) {
                throw new IllegalArgumentException("A HandlerPublisher needs at least one handler");
            }
            return new HandlerPublisher(this);
        }

        private HandlerSettings settings() {
            HandlerVerdict verdict = new HandlerVerdict(rejected, unavailable, exceptionMessages);
            return new HandlerSettings(threads, maxWait, slowAfter, closeTimeout, verdict);
        }

        private static Duration positive(String option, Duration value) {
            if (value.isNegative() || value.isZero()) {
                throw new IllegalArgumentException("%s must be positive but was %s".formatted(option, value));
            }
            return value;
        }
    }
}
