package dev.postrider.micrometer;

import dev.postrider.admin.Page;
import dev.postrider.saga.Direction;
import dev.postrider.saga.Reply;
import dev.postrider.saga.SagaAdmin;
import dev.postrider.saga.SagaFilter;
import dev.postrider.saga.SagaListener;
import dev.postrider.saga.SagaStatus;
import dev.postrider.saga.StepReport;
import dev.postrider.saga.StepStatus;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Metrics of sagas: a listener that counts, and gauges that are sampled between {@link #start} and {@link #close},
 * never during a scrape. Thread-safe.
 *
 * <pre>{@code
 * SagaMetrics metrics = SagaMetrics.builder(registry).sagas("shop").build();
 * SagaEngine engine = SagaEngine.builder(dataSource).register(placeOrder).listener(metrics).build().start();
 * metrics.watch(SagaAdmin.of(dataSource), "place-order").start();
 * }</pre>
 */
public final class SagaMetrics implements SagaListener, AutoCloseable {

    private static final Duration GRACE = Duration.ofMinutes(1);

    private final MeterRegistry registry;
    private final Tags tags;
    private final TagValues<String> definitions;
    private final Map<Tags, Counter> steps = new ConcurrentHashMap<>();
    private final Map<Tags, Counter> ended = new ConcurrentHashMap<>();
    private final Counter lateReplies;
    private final SampleLoop loop;
    private final int mostListed;
    private final AtomicBoolean watching = new AtomicBoolean();

    private SagaMetrics(Builder builder) {
        this.registry = builder.registry;
        this.tags = Tags.of("sagas", builder.sagas);
        this.definitions = new TagValues<>(builder.maxDefinitions);
        this.mostListed = builder.mostListed;
        this.lateReplies = Counter.builder(MeterNames.SAGA_LATE_REPLIES)
                .description("Replies that no saga waited for")
                .tags(tags)
                .register(registry);
        this.loop = new SampleLoop(
                "saga-metrics-" + builder.sagas, builder.sampleEvery, registry, MeterNames.SAGA_SAMPLE_AGE, tags);
    }

    /** Starts configuring metrics; the registry is the only required part. */
    public static Builder builder(MeterRegistry registry) {
        return new Builder(registry);
    }

    /**
     * Samples which sagas are STUCK, for each of these definitions, and which are overdue: due for more than a minute
     * although no engine has them. Once.
     *
     * @throws IllegalStateException if they are sampled already
     */
    public SagaMetrics watch(SagaAdmin admin, String... names) {
        Objects.requireNonNull(admin, "admin");
        if (watching.getAndSet(true)) {
            throw new IllegalStateException("The sagas are sampled already; name all definitions at once");
        }
        for (String name : names) {
            register(name);
            SagaFilter stuck = SagaFilter.all().withDefinition(name).withStatus(SagaStatus.STUCK);
            loop.add(new Sampled<>(() ->
                            admin.list(stuck, Page.oldest(mostListed)).items().size()))
                    .gauge(registry, MeterNames.SAGA_STUCK, "Sagas that wait for a person", of(name), count -> count);
        }
        Clock clock = Clock.systemUTC();
        Sampled<OverdueSagas> overdue = loop.add(new Sampled<>(() -> OverdueSagas.of(admin, GRACE, mostListed, clock)));
        overdue.gauge(
                registry,
                MeterNames.SAGA_OVERDUE,
                "Sagas due for more than a minute that no engine has",
                tags,
                OverdueSagas::count);
        overdue.time(
                registry,
                MeterNames.SAGA_OLDEST_OVERDUE,
                "How long nothing has happened to the oldest of them",
                tags,
                OverdueSagas::oldest);
        return this;
    }

    /** Starts sampling, with the first sample at once. */
    public SagaMetrics start() {
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
    public void step(String saga, UUID id, StepReport step) {
        step(saga, step.direction(), step.status()).increment();
    }

    @Override
    public void ended(String saga, UUID id, SagaStatus status) {
        ended(saga, status).increment();
    }

    @Override
    public void lateReply(Reply reply) {
        lateReplies.increment();
    }

    // All of them at once, so that a first event is an increase.
    private void register(String definition) {
        for (Direction direction : Direction.values()) {
            for (StepStatus status : StepStatus.values()) {
                step(definition, direction, status);
            }
        }
        for (SagaStatus status : SagaStatus.values()) {
            if (status.finished() || status == SagaStatus.STUCK) {
                ended(definition, status);
            }
        }
    }

    private Tags of(String definition) {
        return tags.and("saga", definitions.of(definition));
    }

    private Counter step(String definition, Direction direction, StepStatus status) {
        Tags with =
                of(definition).and("direction", RelayMeters.lower(direction)).and("status", RelayMeters.lower(status));
        return counter(steps, MeterNames.SAGA_STEPS, "Steps by what became of them", with);
    }

    private Counter ended(String definition, SagaStatus status) {
        return counter(
                ended,
                MeterNames.SAGA_ENDED,
                "Sagas that have ended or are stuck",
                of(definition).and("status", RelayMeters.lower(status)));
    }

    private Counter counter(Map<Tags, Counter> known, String name, String description, Tags with) {
        return known.computeIfAbsent(
                with,
                each -> Counter.builder(name)
                        .description(description)
                        .tags(each)
                        .register(registry));
    }

    /** Collects the parts of {@link SagaMetrics}. Not thread-safe. */
    public static final class Builder {

        private final MeterRegistry registry;
        private String sagas = "sagas";
        private Duration sampleEvery = Duration.ofMinutes(1);
        private int maxDefinitions = 100;
        private int mostListed = 100;

        private Builder(MeterRegistry registry) {
            this.registry = Objects.requireNonNull(registry, "registry");
        }

        /** The value of the tag {@code sagas} on every meter. Default {@code sagas}. */
        public Builder sagas(String name) {
            this.sagas = Names.of("sagas", name);
            return this;
        }

        /** How often gauges are sampled. Default 1 minute. */
        public Builder sampleEvery(Duration interval) {
            this.sampleEvery = Names.positive("sampleEvery", interval);
            return this;
        }

        /** How many definitions get time series of their own; further ones are {@code other}. Default 100. */
        public Builder maxDefinitions(int names) {
            if (names < 1) {
                throw new IllegalArgumentException("maxDefinitions must be at least 1 but was " + names);
            }
            this.maxDefinitions = names;
            return this;
        }

        /** How many sagas one sample lists, the oldest first; counts end there. Default 100, at most 1,000. */
        public Builder mostListed(int count) {
            if (count < 1 || count > Page.MAX_LIMIT) {
                throw new IllegalArgumentException(
                        "mostListed must be from 1 to %d but was %d".formatted(Page.MAX_LIMIT, count));
            }
            this.mostListed = count;
            return this;
        }

        /** Builds the metrics; nothing is sampled yet. */
        public SagaMetrics build() {
            return new SagaMetrics(this);
        }
    }
}
