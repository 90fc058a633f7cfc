package dev.postrider.micrometer;

import dev.postrider.EnqueueListener;
import dev.postrider.OutboxMessage;
import dev.postrider.admin.OutboxStats;
import dev.postrider.monitor.AlertMonitor;
import dev.postrider.relay.RelayHealth;
import dev.postrider.relay.RelayListener;
import dev.postrider.relay.RetentionJob;
import dev.postrider.safety.SafetyNet;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.TopicName;
import dev.postrider.thread.SupervisedThread;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Metrics of one outbox and its relay: a listener that counts, and gauges that are sampled on a schedule of their own
 * between {@link #start} and {@link #close}, never during a scrape. One per outbox and process. Thread-safe.
 *
 * <pre>{@code
 * PostriderMetrics metrics = PostriderMetrics.builder(registry).stats(admin::stats).build();
 * JdbcOutbox outbox = JdbcOutbox.builder().listener(metrics).build();
 * Relay relay = Relay.builder(store, metrics.timed("kafka", publisher)).listener(metrics).build();
 * metrics.watch(relay::health).start();
 * }</pre>
 */
public final class PostriderMetrics implements EnqueueListener, RelayListener, AutoCloseable {

    private static final String NAME = "[a-z0-9_.-]{1,40}";

    private final String outbox;
    private final Duration sampleEvery;
    private final RelayMeters meters;
    private final EnqueueMeters enqueues;
    private final Samples samples;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final SupervisedThread sampler;
    private boolean started;

    private PostriderMetrics(Builder builder) {
        Tags tags = Tags.of("outbox", builder.outbox);
        TagValues<TopicName> topics = new TagValues<>(builder.maxTopics);
        this.outbox = builder.outbox;
        this.sampleEvery = builder.sampleEvery;
        this.meters = new RelayMeters(builder.registry, tags, topics, InstantSource.system());
        this.enqueues = new EnqueueMeters(builder.registry, tags, new TagValues<>(builder.maxTypes));
        this.samples = new Samples(builder.registry, tags, topics);
        this.sampler = new SupervisedThread("outbox-metrics-" + outbox, this::run);
        meters.restarts("metrics", sampler::restarts);
        if (builder.aliases) {
            meters.registerAliases();
        }
        if (builder.stats != null) {
            samples.watchOutbox(builder.stats, builder.aliases);
        }
    }

    /** Starts configuring metrics; the registry is the only required part. */
    public static Builder builder(MeterRegistry registry) {
        return new Builder(registry);
    }

    /** Returns a publisher that measures how long this one takes to answer; {@code system} is kafka, rabbitmq, … */
    public MessagePublisher timed(String system, MessagePublisher publisher) {
        return new TimedPublisher(Names.system(system), Objects.requireNonNull(publisher, "publisher"), meters);
    }

    /** Samples how a relay is, usually {@code relay::health}; the last one named counts. */
    public PostriderMetrics watch(Supplier<RelayHealth> relay) {
        samples.watchRelay(Objects.requireNonNull(relay, "relay"));
        meters.restarts("relay", samples::relayRestarts);
        return this;
    }

    /** Counts what a monitor sent and could not send. */
    public PostriderMetrics watch(AlertMonitor monitor) {
        meters.watch(Objects.requireNonNull(monitor, "monitor"));
        return this;
    }

    /** Counts what a safety net has caught. */
    public PostriderMetrics watch(SafetyNet net) {
        meters.watch(Objects.requireNonNull(net, "net"));
        return this;
    }

    /** Counts what a job removes. */
    public PostriderMetrics watch(RetentionJob job) {
        meters.watch(Objects.requireNonNull(job, "job"));
        return this;
    }

    /**
     * Counts how often threads of a component ended by an error and were started again, such as
     * {@code watchRestarts("inbox", () -> consumer.health().restarts())}. Relay, alert monitor, safety net and
     * retention job are counted without it once they are watched. The last source of a name counts.
     *
     * @param component 1 to 40 lower-case letters, digits, dots, dashes or underscores
     */
    public PostriderMetrics watchRestarts(String component, LongSupplier restarts) {
        if (!component.matches(NAME)) {
            throw new IllegalArgumentException(
                    "component must be 1 to 40 lower-case letters, digits, dots, dashes or underscores but was '%s'"
                            .formatted(component));
        }
        meters.restarts(component, Objects.requireNonNull(restarts, "restarts"));
        return this;
    }

    /** Starts sampling, with the first sample at once. */
    public synchronized PostriderMetrics start() {
        if (started || stopped.getCount() == 0) {
            throw new IllegalStateException("The metrics of outbox '%s' were started before".formatted(outbox));
        }
        sampler.start();
        started = true;
        return this;
    }

    /** Stops sampling. Counters stay as they are, gauges show nothing any more. */
    @Override
    public void close() {
        stopped.countDown();
        samples.forget();
    }

    private void run() throws InterruptedException {
        do {
            samples.take();
        } while (!stopped.await(sampleEvery.toNanos(), TimeUnit.NANOSECONDS));
    }

    /** Samples now, on the caller's thread. */
    void sample() {
        samples.take();
    }

    @Override
    public void enqueued(OutboxMessage message) {
        enqueues.enqueued(message.type());
    }

    /**
     * Counts messages whose transaction has committed. An outbox over JDBC hears of no commit, so only a caller that
     * does can count them, such as the Spring Boot starter.
     */
    public void stored(String type, long messages) {
        enqueues.stored(type, messages);
    }

    @Override
    public void polled(int messages, boolean full, Duration took) {
        meters.polled(messages, full, took);
    }

    @Override
    public void claimed(int messages) {
        meters.batchSize.record(messages);
    }

    @Override
    public void settled(List<Settlement> outcomes) {
        meters.settled(outcomes);
    }

    @Override
    public void deadRefused(List<Settlement> dead, Throwable cause) {
        meters.deadRefused.increment(dead.size());
    }

    @Override
    public void claimsLost(int messages) {
        meters.fenced.increment(messages);
    }

    @Override
    public void claimsRecovered(int messages) {
        meters.recovered.increment(messages);
    }

    @Override
    public void integrityFailed(ClaimedMessage defective) {
        meters.integrityFailures.increment();
    }

    @Override
    public void answerIgnored() {
        meters.answersIgnored.increment();
    }

    @Override
    public void shardsAcquired(Set<Integer> shards) {
        meters.shardsAcquired.increment(shards.size());
    }

    @Override
    public void shardsLost(Set<Integer> shards) {
        meters.shardsLost.increment(shards.size());
    }

    @Override
    public void turnFailed(String loop, Throwable cause) {
        meters.turnFailed(loop);
    }

    /** Collects the parts of {@link PostriderMetrics}. Not thread-safe. */
    public static final class Builder {

        private final MeterRegistry registry;
        private String outbox = "outbox";
        private Duration sampleEvery = Duration.ofSeconds(15);
        private int maxTopics = 100;
        private int maxTypes = 100;
        private boolean aliases = true;
        private @Nullable Supplier<OutboxStats> stats;

        private Builder(MeterRegistry registry) {
            this.registry = Objects.requireNonNull(registry, "registry");
        }

        /** The value of the tag {@code outbox} on every meter. Default {@code outbox}. */
        public Builder outbox(String name) {
            this.outbox = Names.of("outbox", name);
            return this;
        }

        /**
         * Samples messages, blocked keys and relays in the tables, usually from {@code admin::stats}. Default: those
         * gauges are left out.
         */
        public Builder stats(Supplier<OutboxStats> source) {
            this.stats = Objects.requireNonNull(source, "source");
            return this;
        }

        /** How often gauges are sampled. Default 15 s. */
        public Builder sampleEvery(Duration interval) {
            this.sampleEvery = Names.positive("sampleEvery", interval);
            return this;
        }

        /** How many topics get time series of their own; further ones are {@code other}. Default 100. */
        public Builder maxTopics(int topics) {
            if (topics < 0) {
                throw new IllegalArgumentException("maxTopics must not be negative but was " + topics);
            }
            this.maxTopics = topics;
            return this;
        }

        /** How many types of messages get time series of their own; further ones are {@code other}. Default 100. */
        public Builder maxTypes(int types) {
            if (types < 0) {
                throw new IllegalArgumentException("maxTypes must not be negative but was " + types);
            }
            this.maxTypes = types;
            return this;
        }

        /** Leaves out the six {@code outbox.*} names. Default: they are there. */
        public Builder withoutAliases() {
            this.aliases = false;
            return this;
        }

        /** Builds and registers the meters; nothing is sampled yet. */
        public PostriderMetrics build() {
            return new PostriderMetrics(this);
        }
    }
}
