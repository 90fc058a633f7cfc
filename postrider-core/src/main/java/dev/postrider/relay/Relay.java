package dev.postrider.relay;

import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.TopicName;
import dev.postrider.spi.WakeUp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers enqueued messages to a broker from {@link #start} to {@link #close}. Any number of relays share one outbox.
 * Thread-safe.
 */
public final class Relay implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Relay.class);
    private static final long SHORTEST_POLL = Duration.ofMillis(5).toNanos();
    private static final long FALLBACK = Duration.ofMillis(50).toNanos();
    private static final Duration JOIN = Duration.ofSeconds(2);

    private final OutboxStore store;
    private final RelayConfig config;
    private final @Nullable WakeUp wakeUp;
    private final Signal fetchSignal = new Signal();
    private final Signal sendSignal = new Signal();
    private final Signal settleSignal = new Signal();
    private final Signal keepSignal = new Signal();
    private final RelayLoop loop;
    private final ShardKeeper keeper;
    private final LoopThread keep;
    private final List<LoopThread> threads;
    private RelayHealth.State state = RelayHealth.State.NEW;
    private long idleWait = SHORTEST_POLL;

    private Relay(Builder builder) {
        this.store = builder.store;
        this.config = new RelayConfig(builder);
        this.wakeUp = builder.wakeUp;
        this.loop = new RelayLoop(store, builder.publisher, config, this::progress);
        this.keeper = new ShardKeeper(store, loop, config);
        this.keep = new LoopThread("keep", this::keep, keepSignal, config);
        this.threads = new ArrayList<>(List.of(
                keep,
                new LoopThread("fetch", this::fetch, fetchSignal, config),
                new LoopThread("send", this::send, sendSignal, config),
                new LoopThread("settle", this::settle, settleSignal, config)));
        if (wakeUp != null) {
            threads.add(new LoopThread("listen", this::listen, new Signal(), config));
        }
    }

    /** Starts configuring a relay; the store and the publisher are the only required parts. */
    public static Builder builder(OutboxStore store, MessagePublisher publisher) {
        return new Builder(store, publisher);
    }

    /** The unique name of this relay among all that ever were. */
    public String name() {
        return config.relay;
    }

    /** Starts delivering. */
    public synchronized Relay start() {
        if (state != RelayHealth.State.NEW) {
            throw new IllegalStateException("Relay %s was started before; build a new one".formatted(config.relay));
        }
        state = RelayHealth.State.RUNNING;
        threads.forEach(LoopThread::start);
        log.info("Relay {} started", config.relay);
        return this;
    }

    /** Looks for new messages now; to be called after a commit in the same process. Never blocks. */
    public void wake() {
        fetchSignal.raise();
    }

    /** Claims nothing more until {@link #resume}; what is at the broker comes to its end. */
    public synchronized void pause() {
        requireRunning();
        state = RelayHealth.State.PAUSED;
        loop.stopClaiming();
        progress();
    }

    /** Claims again. */
    public synchronized void resume() {
        requireRunning();
        state = RelayHealth.State.RUNNING;
        loop.startClaiming();
        wake();
    }

    /** Sends nothing more to this topic until it is resumed; other topics go on. */
    public void pause(TopicName topic) {
        loop.pause(topic);
        progress();
    }

    /** Sends to this topic again. */
    public void resume(TopicName topic) {
        loop.resume(topic);
        wake();
    }

    /**
     * Pauses and waits until nothing of this relay is in flight.
     *
     * @return false if something still is when the time is over
     */
    public boolean drain(Duration timeout) {
        pause();
        return awaitIdle(timeout);
    }

    /** Tells how the relay is. */
    public synchronized RelayHealth health() {
        String failure = threads.stream()
                .filter(thread -> !thread.healthy())
                .map(LoopThread::failure)
                .collect(Collectors.joining("; "));
        int shards = loop.shards().size();
        RelayHealth.State shown = state == RelayHealth.State.RUNNING && shards == 0 ? RelayHealth.State.STANDBY : state;
        return new RelayHealth(
                isAlive(), failure.isEmpty(), shown, shards, loop.inFlight(), failure.isEmpty() ? null : failure);
    }

    /**
     * Stops claiming, waits a bounded time for the broker's answers, gives back what was not sent and hands all shards
     * over, so that another relay goes on at once.
     */
    @Override
    public void close() {
        synchronized (this) {
            RelayHealth.State before = state;
            state = RelayHealth.State.CLOSED;
            if (before == RelayHealth.State.NEW || before == RelayHealth.State.CLOSED) {
                return;
            }
        }
        loop.stopClaiming();
        progress();
        boolean idle = awaitIdle(config.stopTimeout);
        threads.forEach(thread -> thread.stop(JOIN));
        leave();
        if (idle) {
            log.info("Relay {} stopped", config.relay);
        } else {
            log.warn(
                    "Relay {} stopped with {} messages in flight; another relay may deliver them again",
                    config.relay,
                    loop.inFlight());
        }
    }

    private void leave() {
        try {
            keeper.leave();
        } catch (RuntimeException e) {
            log.warn("Relay {} could not hand over its shards; they are free in {}", config.relay, config.ownFor, e);
        }
    }

    private boolean awaitIdle(Duration timeout) {
        long deadline = config.nanoTime.getAsLong() + timeout.toNanos();
        Signal never = new Signal();
        try {
            while (!loop.isIdle() && deadline - config.nanoTime.getAsLong() > 0) {
                progress();
                never.await(SHORTEST_POLL / 2);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return loop.isIdle();
    }

    private boolean isAlive() {
        Duration limit =
                config.pollInterval.multipliedBy(3).plus(config.publishTimeout).plusSeconds(10);
        return state == RelayHealth.State.NEW
                || threads.stream().allMatch(thread -> thread.silence().compareTo(limit) < 0);
    }

    private void requireRunning() {
        if (state == RelayHealth.State.NEW || state == RelayHealth.State.CLOSED) {
            throw new IllegalStateException("Relay %s is %s".formatted(config.relay, state));
        }
    }

    private void progress() {
        sendSignal.raise();
        settleSignal.raise();
    }

    private long fetch() {
        RelayLoop.Fetched fetched = loop.fetch();
        if (fetched != RelayLoop.Fetched.NOTHING) {
            idleWait = SHORTEST_POLL;
        }
        return switch (fetched) {
            case FULL -> 0;
            case SOME -> SHORTEST_POLL;
            case SATURATED -> FALLBACK;
            case NOTHING -> {
                long wait = idleWait;
                idleWait = Math.min(idleWait * 2, config.pollInterval.toNanos());
                yield wait;
            }
        };
    }

    private long send() {
        loop.send();
        return FALLBACK;
    }

    private long settle() {
        int settled = loop.settle();
        if (settled > 0) {
            fetchSignal.raise();
        }
        return loop.hasOutcomes() ? 0 : FALLBACK;
    }

    private long keep() {
        keeper.turn();
        threads.forEach(LoopThread::revive);
        return config.ownFor.toNanos() / 5;
    }

    private long listen() throws InterruptedException {
        if (Objects.requireNonNull(wakeUp).await(Duration.ofSeconds(1))) {
            wake();
        }
        return 0;
    }

    /** Configures a {@link Relay}. Every option has a default that suits production. */
    public static final class Builder {

        private static final Duration SHORTEST_OWNERSHIP = Duration.ofMillis(500);

        final OutboxStore store;
        final MessagePublisher publisher;
        String name = "relay-%08x".formatted(ThreadLocalRandom.current().nextInt());
        RetryPolicy retry = RetryPolicy.defaults();
        KeyPolicy keyPolicy = KeyPolicy.BLOCK_KEY;
        final Map<TopicName, RetryPolicy> retryByTopic = new HashMap<>();
        final Map<TopicName, KeyPolicy> keyPolicyByTopic = new HashMap<>();
        boolean pipelined;
        int batchSize = 500;
        int prefetchMessages = 2_000;
        long prefetchBytes = 16L * 1024 * 1024;
        Duration claimFor = Duration.ofSeconds(30);
        Duration publishTimeout = Duration.ofSeconds(10);
        Duration ownFor = Duration.ofSeconds(2);
        Duration pollInterval = Duration.ofSeconds(1);
        Duration stopTimeout = Duration.ofSeconds(10);
        int activeRelays = Integer.MAX_VALUE;
        int quarantineAfter = 3;
        RelayListener listener = new RelayListener() {};

        @Nullable WakeUp wakeUp;

        LongSupplier nanoTime = System::nanoTime;
        RandomGenerator random = new SharedRandom();

        private Builder(OutboxStore store, MessagePublisher publisher) {
            this.store = Objects.requireNonNull(store, "store");
            this.publisher = Objects.requireNonNull(publisher, "publisher");
        }

        /** Takes poll interval, batch size, claim time and retry policy from a preset. */
        public Builder preset(Preset preset) {
            return pollInterval(preset.pollInterval())
                    .batchSize(preset.batchSize())
                    .claimFor(preset.claimFor())
                    .retry(preset.retry());
        }

        /** What the relay is called in the store; a random suffix makes it unique. Default {@code relay}. */
        public Builder name(String prefix) {
            if (!prefix.matches("[A-Za-z0-9._-]{1,60}")) {
                throw new IllegalArgumentException(
                        "name must be 1 to 60 letters, digits, dots, dashes or underscores but was '%s'"
                                .formatted(prefix));
            }
            this.name = "%s-%08x".formatted(prefix, ThreadLocalRandom.current().nextInt());
            return this;
        }

        /** Delays between attempts. Default {@link RetryPolicy#defaults()}. */
        public Builder retry(RetryPolicy policy) {
            this.retry = Objects.requireNonNull(policy, "policy");
            return this;
        }

        /** Delays between attempts for one topic. */
        public Builder retry(TopicName topic, RetryPolicy policy) {
            this.retryByTopic.put(Objects.requireNonNull(topic, "topic"), Objects.requireNonNull(policy, "policy"));
            return this;
        }

        /** What a failed message does to its key. Default {@link KeyPolicy#BLOCK_KEY}. */
        public Builder keyPolicy(KeyPolicy policy) {
            this.keyPolicy = Objects.requireNonNull(policy, "policy");
            return this;
        }

        /** What a failed message does to its key in one topic. */
        public Builder keyPolicy(TopicName topic, KeyPolicy policy) {
            this.keyPolicyByTopic.put(Objects.requireNonNull(topic, "topic"), Objects.requireNonNull(policy, "policy"));
            return this;
        }

        /**
         * Lets several messages of one key be at the broker at once, where the policy is
         * {@link KeyPolicy#PARK_AND_CONTINUE}. Faster for few keys; an unreachable broker may then reorder them.
         * Default off.
         */
        public Builder pipelined(boolean allowed) {
            this.pipelined = allowed;
            return this;
        }

        /** How many messages one turn claims. Default 500. */
        public Builder batchSize(int size) {
            this.batchSize = (int) atLeast("batchSize", 1, size);
            return this;
        }

        /** How many messages may be claimed and not settled; never less than a batch. Default 2,000. */
        public Builder prefetchMessages(int messages) {
            this.prefetchMessages = (int) atLeast("prefetchMessages", 1, messages);
            return this;
        }

        /** How many bytes of payload may be claimed and not settled. Default 16 MiB. */
        public Builder prefetchBytes(long bytes) {
            this.prefetchBytes = atLeast("prefetchBytes", 1, bytes);
            return this;
        }

        /** How long a claim lasts; a living relay extends the claims it holds. Default 30 s. */
        public Builder claimFor(Duration duration) {
            this.claimFor = positive("claimFor", duration);
            return this;
        }

        /** How long the broker may take to answer for a message. Default 10 s. */
        public Builder publishTimeout(Duration duration) {
            this.publishTimeout = positive("publishTimeout", duration);
            return this;
        }

        /** How long a relay that is silent keeps its shards. Default 2 s, at least 500 ms. */
        public Builder ownFor(Duration duration) {
            if (duration.compareTo(SHORTEST_OWNERSHIP) < 0) {
                throw new IllegalArgumentException(
                        "ownFor must be at least %s but was %s".formatted(SHORTEST_OWNERSHIP, duration));
            }
            this.ownFor = duration;
            return this;
        }

        /** The longest wait of an idle relay between two looks at the table. Default 1 s. */
        public Builder pollInterval(Duration duration) {
            this.pollInterval = positive("pollInterval", duration);
            return this;
        }

        /** How long {@link Relay#close} waits for the broker. Default 10 s. */
        public Builder stopTimeout(Duration duration) {
            this.stopTimeout = positive("stopTimeout", duration);
            return this;
        }

        /** How many relays deliver at a time; further ones stand by. Default all. */
        public Builder activeRelays(int count) {
            this.activeRelays = (int) atLeast("activeRelays", 1, count);
            return this;
        }

        /** After so many deaths of the process with this message in flight it is dead. Default 3, at least 2. */
        public Builder quarantineAfter(int deaths) {
            this.quarantineAfter = (int) atLeast("quarantineAfter", 2, deaths);
            return this;
        }

        /** Hears what the relay does. */
        public Builder listener(RelayListener relayListener) {
            this.listener = Objects.requireNonNull(relayListener, "listener");
            return this;
        }

        /** Brings wake-ups from other processes; closed by its owner, not by the relay. */
        public Builder wakeUp(WakeUp channel) {
            this.wakeUp = Objects.requireNonNull(channel, "channel");
            return this;
        }

        /**
         * Builds the relay.
         *
         * @throws IllegalArgumentException if the settings do not fit together, with the rule in the message
         */
        public Relay build() {
            if (pollInterval.multipliedBy(3).compareTo(claimFor) > 0) {
                throw new IllegalArgumentException(
                        "pollInterval %s is above claimFor / 3 = %s / 3: a claim could end between two looks"
                                .formatted(pollInterval, claimFor));
            }
            if (publishTimeout.compareTo(claimFor) > 0) {
                throw new IllegalArgumentException("publishTimeout %s is above claimFor %s: the claim would end first"
                        .formatted(publishTimeout, claimFor));
            }
            return new Relay(this);
        }

        private static long atLeast(String option, long least, long value) {
            if (value < least) {
                throw new IllegalArgumentException("%s must be at least %d but was %d".formatted(option, least, value));
            }
            return value;
        }

        private static Duration positive(String option, Duration value) {
            if (value.isNegative() || value.isZero()) {
                throw new IllegalArgumentException("%s must be positive but was %s".formatted(option, value));
            }
            return value;
        }
    }
}
