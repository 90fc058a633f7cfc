package dev.postrider.relay;

import dev.postrider.safety.SafetyNet;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.TopicName;
import dev.postrider.spi.WakeUp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
    private static final long GATHER = Duration.ofMillis(5).toNanos();
    private static final long FALLBACK = Duration.ofMillis(50).toNanos();
    private static final Duration JOIN = Duration.ofSeconds(2);

    // A turn waits a few times for the database, each time bounded by pool and driver, usually by 30 s.
    private static final Duration HANGS = Duration.ofMinutes(2);

    // A quarter of the longest ownership: a relay whose heartbeats take longer loses its shards.
    private static final Duration HEARTBEAT = Duration.ofSeconds(15);

    private final OutboxStore store;
    private final MessagePublisher publisher;
    private final RelayConfig config;
    private final @Nullable WakeUp wakeUp;
    private final Signal fetchSignal = new Signal();
    private final Signal sendSignal = new Signal();
    private final Signal settleSignal = new Signal();
    private final RelayLoop loop;
    private final RelayState flow;
    private final ShardKeeper keeper;
    private final LoopThread keep;
    private final @Nullable SafetyNet safetyNet;
    private final @Nullable LoopThread listen;
    private final List<LoopThread> threads;
    private final List<LoopThread> delivering;
    private RelayHealth.State state = RelayHealth.State.NEW;
    private long idleWait = SHORTEST_POLL;
    private volatile long mayClaimNanos;
    private volatile boolean left;

    Relay(RelayBuilder builder) {
        this.store = builder.store;
        this.publisher = builder.publisher;
        List<RelayListener> listeners = new ArrayList<>(builder.listeners);
        listeners.add(new RelayLog(builder.name));
        RelayReporter reporter = new RelayReporter();
        listeners.add(reporter);
        this.safetyNet = builder.safetyNet;
        if (safetyNet != null) {
            listeners.add(new NetListener(safetyNet, builder.name));
        }
        this.config = new RelayConfig(builder, new RelayListeners(listeners));
        this.wakeUp = builder.wakeUp;
        this.loop = new RelayLoop(store, builder.publisher, config, this::progress);
        this.flow = loop.state();
        this.keeper = new ShardKeeper(store, flow, config, () -> reporter.report(name(), health()));
        Housekeeping housekeeping = new Housekeeping(store, flow, config);
        this.keep = new LoopThread("keep", this::keep, new Signal(), config);
        this.delivering = List.of(
                keep,
                new LoopThread("fetch", this::fetch, fetchSignal, config),
                new LoopThread("send", this::send, sendSignal, config),
                new LoopThread("settle", this::settle, settleSignal, config));
        this.threads = new ArrayList<>(delivering);
        threads.add(new LoopThread("tidy", housekeeping::turn, new Signal(), config));
        this.listen = wakeUp == null ? null : new LoopThread("listen", this::listen, new Signal(), config);
        if (listen != null) {
            threads.add(listen);
        }
    }

    /** Starts configuring a relay; the store and the publisher are the only required parts. */
    public static RelayBuilder builder(OutboxStore store, MessagePublisher publisher) {
        return new RelayBuilder(store, publisher);
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
        mayClaimNanos = config.nanoTime.getAsLong();
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
        keeper.brakes().pause();
        progress();
    }

    /** Claims again, unless operators have paused or drained it by {@link dev.postrider.admin.RelayAdmin}. */
    public synchronized void resume() {
        requireRunning();
        keeper.brakes().resume();
        wake();
    }

    /** Sends nothing more to this topic until it is resumed; other topics go on. */
    public void pause(TopicName topic) {
        keeper.brakes().pause(topic);
        progress();
    }

    /** Sends to this topic again, unless operators have paused it for all relays. */
    public void resume(TopicName topic) {
        keeper.brakes().resume(topic);
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

    /** Returns what the publisher has found out about its broker that limits a promise, each in one sentence. */
    public List<String> warnings() {
        return publisher.warnings();
    }

    /** Tells how the relay is. */
    public synchronized RelayHealth health() {
        String failure = failure();
        int shards = left ? 0 : flow.shards().size();
        return new RelayHealth(
                isAlive(),
                keep.succeeded() && failure.isEmpty(),
                isRunning() ? keeper.brakes().shown(shards) : state,
                shards,
                flow.inFlight(),
                flow.unreachable(),
                failure.isEmpty() ? null : failure,
                stalled(),
                restarts());
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
        keeper.brakes().stop();
        progress();
        boolean idle = awaitIdle(config.stopTimeout);
        threads.forEach(LoopThread::stop);
        // The keeper first, or it would let the relay join again; the others have nothing to do that anybody waits for.
        keep.join(JOIN);
        leave();
        threads.stream().filter(thread -> thread != listen && thread != keep).forEach(thread -> thread.join(JOIN));
        if (safetyNet != null && !safetyNet.awaitQuiet(JOIN)) {
            log.warn("The safety net of relay {} is still busy", config.relay);
        }
        if (idle) {
            log.info("Relay {} stopped", config.relay);
        } else {
            log.warn(
                    "Relay {} stopped with {} messages in flight; another relay may deliver them again",
                    config.relay,
                    flow.inFlight());
        }
    }

    private void leave() {
        left = true;
        try {
            keeper.leave();
        } catch (RuntimeException | Error e) {
            log.warn("Relay {} could not hand over its shards; they are free in {}", config.relay, config.ownFor, e);
        }
    }

    private boolean awaitIdle(Duration timeout) {
        long deadline = config.nanoTime.getAsLong() + timeout.toNanos();
        Signal never = new Signal();
        try {
            while (!flow.isIdle() && deadline - config.nanoTime.getAsLong() > 0) {
                progress();
                never.await(SHORTEST_POLL / 2);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return flow.isIdle();
    }

    private boolean isRunning() {
        return state == RelayHealth.State.RUNNING;
    }

    // How long ago a turn ended says nothing: while the database is away a turn may wait for a connection that long.
    private boolean isAlive() {
        Duration limit = HANGS.plus(config.publishTimeout);
        return !isRunning()
                || threads.stream()
                        .noneMatch(thread -> thread.died() || thread.turnTime().compareTo(limit) > 0);
    }

    private long restarts() {
        return threads.stream().mapToLong(LoopThread::restarts).sum() + publisher.restarts();
    }

    private String failure() {
        Stream<String> failed =
                threads.stream().filter(thread -> !thread.healthy()).map(LoopThread::failure);
        boolean late = isRunning() && keep.healthy() && keep.turnTime().compareTo(HEARTBEAT) > 0;
        Stream<String> overdue =
                late ? Stream.of("keep: the heartbeat has been under way for more than " + HEARTBEAT) : Stream.of();
        return Stream.concat(failed, overdue).collect(Collectors.joining("; "));
    }

    // A fetch that may not claim succeeds and moves nothing, so the ownership is looked at on its own.
    private @Nullable String stalled() {
        Duration limit =
                config.pollInterval.multipliedBy(3).plus(config.publishTimeout).plusSeconds(10);
        if (!isRunning()) {
            return null;
        }
        List<String> reasons = new ArrayList<>();
        delivering.stream()
                .filter(thread -> thread.sinceSuccess().compareTo(limit) > 0)
                .forEach(thread -> reasons.add("the %s loop had no successful turn for %d s"
                        .formatted(thread.name(), thread.sinceSuccess().toSeconds())));
        Duration unowned = Duration.ofNanos(config.nanoTime.getAsLong() - mayClaimNanos);
        if (!flow.mayClaim() && unowned.compareTo(limit) > 0) {
            reasons.add("standby by failure: no heartbeat arrived in time for %d s".formatted(unowned.toSeconds()));
        }
        return reasons.isEmpty() ? null : String.join("; ", reasons);
    }

    private void requireRunning() {
        if (state == RelayHealth.State.NEW || state == RelayHealth.State.CLOSED) {
            throw new IllegalStateException("Relay %s is %s".formatted(config.relay, state));
        }
    }

    // Most answers let nothing new be sent, and waking a thread costs more than taking an answer.
    private void progress() {
        if (flow.hasReady()) {
            sendSignal.raise();
        }
        settleSignal.raise();
    }

    private long fetch() {
        if (flow.mayClaim()) {
            mayClaimNanos = config.nanoTime.getAsLong();
        }
        Fetcher.Fetched fetched = loop.fetch(this::claimed);
        if (fetched != Fetcher.Fetched.NOTHING) {
            idleWait = SHORTEST_POLL;
        }
        return switch (fetched) {
            case FULL -> 0;
            case SOME -> SHORTEST_POLL;
            case SATURATED -> FALLBACK;
            case NOTHING -> {
                long wait = Math.min(idleWait, flow.nanosToNextRetry());
                idleWait = Math.min(idleWait * 2, config.pollInterval.toNanos());
                yield wait;
            }
        };
    }

    // A few messages go out at once, sooner than another thread wakes; many go out beside the next fetch.
    private void claimed(Fetcher.Fetched fetched) {
        if (fetched == Fetcher.Fetched.FULL || !loop.trySend()) {
            sendSignal.raise();
        }
        if (loop.hasOutcomes()) {
            settleSignal.raise();
        }
    }

    private long send() {
        loop.send();
        return FALLBACK;
    }

    private long settle() throws InterruptedException {
        // Under load the answers come one by one; written back together they cost a fraction.
        if (flow.isAwaitingAnswers()) {
            TimeUnit.NANOSECONDS.sleep(GATHER);
        }
        if (loop.settle() > 0) {
            fetchSignal.raise();
        }
        return loop.hasOutcomes() ? 0 : FALLBACK;
    }

    private long keep() {
        int before = flow.shards().size();
        keeper.turn();
        if (flow.shards().size() > before) {
            wake();
        }
        return config.ownFor.toNanos() / 10;
    }

    private long listen() throws InterruptedException {
        if (Objects.requireNonNull(wakeUp).await(Duration.ofSeconds(1))) {
            wake();
        }
        return 0;
    }
}
