package dev.postrider.relay;

import dev.postrider.retry.RetryPolicy;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.RelayReport;
import dev.postrider.spi.TopicName;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * The real {@link RelayLoop} and {@link ShardKeeper} without threads: whoever owns it says which step runs when. What a
 * step returns is the wait {@link Relay} would keep. For one thread, but a step may begin while another one is inside a
 * call to the store or the publisher.
 */
public final class SteppedRelay {

    private static final long SHORTEST_POLL = Duration.ofMillis(5).toNanos();
    private static final long FALLBACK = Duration.ofMillis(50).toNanos();
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final RelayLoop loop;
    private final ShardKeeper keeper;
    private final Housekeeping housekeeping;
    private final RelayConfig config;
    private final Consumer<Step> wake;
    private final Map<Step, Backoff> backoffs = new EnumMap<>(Step.class);
    private long idleWait = SHORTEST_POLL;

    /** What each thread of a relay does. */
    public enum Step {
        /** Reads rows. */
        FETCH,
        /** Hands over to the publisher. */
        SEND,
        /** Writes outcomes. */
        SETTLE,
        /** Renews and balances. */
        KEEP,
        /** Frees messages that wait behind nothing. */
        TIDY
    }

    /**
     * What differs between the relays of a history.
     *
     * @param parkedTopic where a failed message lets its key go on
     * @param pipelined whether a key of that topic may have several messages at the broker
     */
    public record Settings(String name, TopicName parkedTopic, boolean pipelined, int batchSize, Times times) {}

    /** The waits of a relay. */
    public record Times(Duration ownFor, Duration claimFor, Duration publishTimeout, RetryPolicy retry) {}

    /** Where a relay's time and chance come from. */
    public record Surroundings(LongSupplier nanoTime, RandomGenerator random, Consumer<Step> wake) {}

    /** Builds a relay that has done nothing yet. */
    public SteppedRelay(OutboxStore store, MessagePublisher publisher, Settings settings, Surroundings around) {
        RelayBuilder builder = Relay.builder(store, publisher)
                .retry(settings.times.retry)
                .keyPolicy(settings.parkedTopic, KeyPolicy.PARK_AND_CONTINUE)
                .pipelined(settings.pipelined)
                .batchSize(settings.batchSize)
                .prefetchMessages(settings.batchSize * 2)
                .ownFor(settings.times.ownFor)
                .claimFor(settings.times.claimFor)
                .publishTimeout(settings.times.publishTimeout);
        builder.name = settings.name;
        builder.nanoTime = around.nanoTime;
        builder.random = around.random;
        this.config = new RelayConfig(builder);
        this.wake = around.wake;
        this.loop = new RelayLoop(store, publisher, config, this::progress);
        this.keeper = new ShardKeeper(store, loop.state(), config, () -> RelayReport.of(config.relay));
        this.housekeeping = new Housekeeping(store, loop.state(), config);
        for (Step step : Step.values()) {
            backoffs.put(step, new Backoff(FIRST_PAUSE, LONGEST_PAUSE, around.random));
        }
    }

    /** Runs one step and returns how many nanoseconds its thread would wait before the next. */
    public long turn(Step step) {
        long wait = switch (step) {
            case FETCH -> fetch();
            case SEND -> send();
            case SETTLE -> settle();
            case KEEP -> keep();
            case TIDY -> tidy();
        };
        backoff(step).succeeded();
        return wait;
    }

    /** Returns how long the thread of a step that threw would pause. */
    public long pause(Step step) {
        return backoff(step).failed();
    }

    /** Stops fetching and forgets what was not sent. */
    public void stopClaiming() {
        keeper.brakes().stop();
        progress();
    }

    /** Returns whether nothing of this relay is in flight. */
    public boolean isIdle() {
        return loop.state().isIdle();
    }

    /** Hands everything over. */
    public void leave() {
        keeper.leave();
    }

    private long fetch() {
        Fetcher.Fetched fetched = loop.fetch(this::fetched);
        if (fetched != Fetcher.Fetched.NOTHING) {
            idleWait = SHORTEST_POLL;
        }
        return switch (fetched) {
            case FULL -> 0;
            case SOME -> SHORTEST_POLL;
            case SATURATED -> FALLBACK;
            case NOTHING -> {
                long wait = Math.min(idleWait, loop.state().nanosToNextRetry());
                idleWait = Math.min(idleWait * 2, config.pollInterval.toNanos());
                yield wait;
            }
        };
    }

    // What was fetched goes out at once or a little later.
    private void fetched(Fetcher.Fetched fetched) {
        if (fetched == Fetcher.Fetched.FULL || config.random.nextBoolean() || !loop.trySend()) {
            wake.accept(Step.SEND);
        }
        if (loop.hasOutcomes()) {
            wake.accept(Step.SETTLE);
        }
    }

    private long send() {
        loop.send();
        return FALLBACK;
    }

    private long settle() {
        if (loop.settle() > 0) {
            wake.accept(Step.FETCH);
        }
        return loop.hasOutcomes() ? 0 : FALLBACK;
    }

    private long keep() {
        keeper.turn();
        return config.ownFor.toNanos() / 5;
    }

    private long tidy() {
        return housekeeping.turn();
    }

    private void progress() {
        wake.accept(Step.SEND);
        wake.accept(Step.SETTLE);
    }

    private Backoff backoff(Step step) {
        return Objects.requireNonNull(backoffs.get(step));
    }
}
