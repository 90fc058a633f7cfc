package dev.postrider.micrometer;

import dev.postrider.inbox.InboxAdmin;
import dev.postrider.inbox.InboxException;
import dev.postrider.inbox.InboxListener;
import dev.postrider.inbox.ParkReason;
import dev.postrider.inbox.consumer.ConsumerHealth;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Metrics of an inbox and its consumers: a listener that counts, and gauges that are sampled between {@link #start} and
 * {@link #close}, never during a scrape. Thread-safe.
 *
 * <pre>{@code
 * InboxMetrics metrics = InboxMetrics.builder(registry).inbox("billing").build();
 * JdbcInbox inbox = JdbcInbox.builder(dataSource).listener(metrics).build();
 * metrics.watch(JdbcInboxAdmin.of(dataSource), "billing").watch("billing", "kafka", consumer::health).start();
 * }</pre>
 */
public final class InboxMetrics implements InboxListener, AutoCloseable {

    private final MeterRegistry registry;
    private final InboxMeters meters;
    private final SampleLoop loop;
    private final int mostListed;
    private final Set<String> watched = ConcurrentHashMap.newKeySet();

    private InboxMetrics(Builder builder) {
        Tags tags = Tags.of("inbox", builder.inbox);
        this.registry = builder.registry;
        this.meters = new InboxMeters(registry, tags, new TagValues<>(builder.maxConsumers));
        this.mostListed = builder.mostListed;
        this.loop = new SampleLoop(
                "inbox-metrics-" + builder.inbox, builder.sampleEvery, registry, MeterNames.INBOX_SAMPLE_AGE, tags);
    }

    /** Starts configuring metrics; the registry is the only required part. */
    public static Builder builder(MeterRegistry registry) {
        return new Builder(registry);
    }

    /**
     * Samples what a consumer has put aside: parked messages, those behind them, and released ones.
     *
     * @throws IllegalStateException if it is sampled already
     */
    public InboxMetrics watch(InboxAdmin admin, String consumer) {
        Objects.requireNonNull(admin, "admin");
        once("The messages of consumer '%s'".formatted(consumer));
        meters.register(consumer);
        Clock clock = Clock.systemUTC();
        meters.watch(consumer, loop.add(new Sampled<>(() -> PutAside.of(admin, consumer, mostListed, clock))));
        return this;
    }

    /**
     * Samples how a consumer is, usually {@code consumer::health}.
     *
     * @param system kafka or rabbitmq
     * @throws IllegalStateException if it is sampled already
     */
    public InboxMetrics watch(String consumer, String system, Supplier<ConsumerHealth> health) {
        Objects.requireNonNull(health, "health");
        once("The health of consumer '%s' on %s".formatted(consumer, Names.system(system)));
        meters.register(consumer);
        meters.watch(consumer, system, loop.add(new Sampled<>(health)));
        return this;
    }

    // A gauge belongs to the source that was named first; a second one would be asked and never shown.
    private void once(String what) {
        if (!watched.add(what)) {
            throw new IllegalStateException(what + " is sampled already");
        }
    }

    /** Starts sampling, with the first sample at once. */
    public InboxMetrics start() {
        loop.start();
        return this;
    }

    /** Stops sampling. Counters stay as they are, gauges show nothing any more. */
    @Override
    public void close() {
        loop.close();
    }

    /** Samples now, on the caller's thread. */
    void sample() {
        loop.take();
    }

    @Override
    public void processed(String consumer, int messages, Duration took) {
        meters.processed(consumer, messages, took);
    }

    @Override
    public void duplicate(String consumer) {
        meters.duplicate(consumer);
    }

    @Override
    public void skipped(String consumer) {
        meters.skipped(consumer);
    }

    @Override
    public void parked(String consumer, ParkReason reason) {
        meters.parked(consumer, reason);
    }

    @Override
    public void failed(String consumer, InboxException.Reason reason) {
        meters.failed(consumer, reason);
    }

    @Override
    public void repeated(String consumer) {
        meters.repeated(consumer);
    }

    /** Collects the parts of {@link InboxMetrics}. Not thread-safe. */
    public static final class Builder {

        private static final int MOST_LISTED = 1_000;

        private final MeterRegistry registry;
        private String inbox = "inbox";
        private Duration sampleEvery = Duration.ofMinutes(1);
        private int maxConsumers = 100;
        private int mostListed = 100;

        private Builder(MeterRegistry registry) {
            this.registry = Objects.requireNonNull(registry, "registry");
        }

        /** The value of the tag {@code inbox} on every meter. Default {@code inbox}. */
        public Builder inbox(String name) {
            this.inbox = Names.of("inbox", name);
            return this;
        }

        /** How often gauges are sampled. Default 1 minute. */
        public Builder sampleEvery(Duration interval) {
            this.sampleEvery = Names.positive("sampleEvery", interval);
            return this;
        }

        /** How many consumers get time series of their own; further ones are {@code other}. Default 100. */
        public Builder maxConsumers(int consumers) {
            if (consumers < 1) {
                throw new IllegalArgumentException("maxConsumers must be at least 1 but was " + consumers);
            }
            this.maxConsumers = consumers;
            return this;
        }

        /**
         * How many messages that were put aside one sample lists, the oldest first; counts end there. Payloads are read
         * with them. Default 100, at most 1,000.
         */
        public Builder mostListed(int messages) {
            if (messages < 1 || messages > MOST_LISTED) {
                throw new IllegalArgumentException(
                        "mostListed must be from 1 to %d but was %d".formatted(MOST_LISTED, messages));
            }
            this.mostListed = messages;
            return this;
        }

        /** Builds the metrics; nothing is sampled yet. */
        public InboxMetrics build() {
            return new InboxMetrics(this);
        }
    }
}
