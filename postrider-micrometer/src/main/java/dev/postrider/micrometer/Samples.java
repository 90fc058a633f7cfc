package dev.postrider.micrometer;

import dev.postrider.admin.OutboxStats;
import dev.postrider.relay.RelayHealth;
import dev.postrider.spi.TopicName;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What was last seen of the outbox and the relay. Gauges read it, so a scrape asks nobody; what could not be seen is
 * NaN, because an old number that looks like a new one is worse than none. Thread-safe.
 */
final class Samples {

    private static final Logger log = LoggerFactory.getLogger(Samples.class);

    private final MeterRegistry registry;
    private final Tags tags;
    private final TagValues<TopicName> topics;
    private final Counter failures;
    private final Set<String> topicGauges = ConcurrentHashMap.newKeySet();
    private @Nullable Supplier<OutboxStats> outbox;
    private @Nullable Supplier<RelayHealth> relay;
    private volatile @Nullable OutboxStats stats;
    private volatile @Nullable RelayHealth health;
    private volatile long relayRestarts;
    private volatile Set<String> closedTopics = Set.of();
    private volatile long succeededAt = System.nanoTime();
    private volatile boolean closed;
    private boolean failing;

    Samples(MeterRegistry registry, Tags tags, TagValues<TopicName> topics) {
        this.registry = registry;
        this.tags = tags;
        this.topics = topics;
        this.failures = Counter.builder(MeterNames.SAMPLE_FAILURES)
                .description("Samples that could not be taken; gauges show nothing meanwhile")
                .tags(tags)
                .register(registry);
        TimeGauge.builder(MeterNames.SAMPLE_AGE, this, TimeUnit.NANOSECONDS, Samples::age)
                .description("Time since the last sample that succeeded")
                .tags(tags)
                .strongReference(true)
                .register(registry);
    }

    synchronized void watchOutbox(Supplier<OutboxStats> source, boolean aliases) {
        outbox = source;
        outboxGauge(MeterNames.PENDING, "Messages that can be delivered at once or are claimed", OutboxStats::pending);
        outboxGauge(MeterNames.WAITING, "Messages that wait for a retry, a delay or their key", OutboxStats::waiting);
        outboxGauge(MeterNames.DEAD, "Messages that wait for a person", OutboxStats::dead);
        outboxGauge(MeterNames.KEYS_BLOCKED, "Keys that cannot go on", OutboxStats::blockedKeys);
        outboxGauge(MeterNames.INSTANCES, "Relays that are alive, anywhere", OutboxStats::relays);
        outboxGauge(MeterNames.SHARDS_UNOWNED, "Shards without a living relay", OutboxStats::unownedShards);
        TimeGauge.builder(
                        MeterNames.OLDEST_AGE,
                        this,
                        TimeUnit.MILLISECONDS,
                        samples ->
                                samples.of(samples.stats, s -> s.oldestPending().toMillis()))
                .description("Age of the oldest message that can be delivered")
                .tags(tags)
                .strongReference(true)
                .register(registry);
        if (aliases) {
            outboxGauge(MeterNames.ALIAS_PENDING, "Alias of " + MeterNames.PENDING, OutboxStats::pending);
            outboxGauge(MeterNames.ALIAS_DEAD, "Alias of " + MeterNames.DEAD, OutboxStats::dead);
        }
    }

    synchronized void watchRelay(Supplier<RelayHealth> source) {
        boolean first = relay == null;
        relay = source;
        if (!first) {
            return;
        }
        relayGauge(MeterNames.SHARDS_OWNED, "Shards this relay owns", tags, RelayHealth::ownedShards);
        relayGauge(MeterNames.IN_FLIGHT, "Messages claimed and not settled", tags, RelayHealth::inFlight);
        relayGauge(MeterNames.ALIVE, "1 if every loop has a thread and no turn hangs", tags, h -> h.alive() ? 1 : 0);
        relayGauge(MeterNames.STORE_REACHABLE, "1 if the store answers", tags, h -> h.storeReachable() ? 1 : 0);
        relayGauge(
                MeterNames.TOPICS_CLOSED,
                "Topics out of reach",
                tags,
                h -> h.closedTopics().size());
        for (RelayHealth.State state : RelayHealth.State.values()) {
            relayGauge(
                    MeterNames.STATE,
                    "1 for what the relay is doing",
                    tags.and("state", RelayMeters.lower(state)),
                    h -> h.state() == state ? 1 : 0);
        }
    }

    /** Looks once; whatever goes wrong is counted. */
    synchronized void take() {
        if (closed) {
            return;
        }
        boolean good = takeStats();
        good &= takeHealth();
        if (good) {
            succeededAt = System.nanoTime();
        }
        failing = !good;
    }

    /** Shows nothing any more. Does not wait for a sample that is being taken. */
    void forget() {
        closed = true;
    }

    private boolean takeStats() {
        Supplier<OutboxStats> source = outbox;
        try {
            stats = source == null ? null : source.get();
            return true;
        } catch (RuntimeException | Error e) {
            stats = null;
            return failed(e);
        }
    }

    private boolean takeHealth() {
        Supplier<RelayHealth> source = relay;
        try {
            RelayHealth now = source == null ? null : source.get();
            closedTopics = now == null
                    ? Set.of()
                    : now.closedTopics().stream().map(topics::of).collect(Collectors.toSet());
            health = now;
            relayRestarts = now == null ? relayRestarts : now.restarts();
            closedTopics.forEach(this::topicGauge);
            return true;
        } catch (RuntimeException | Error e) {
            health = null;
            return failed(e);
        }
    }

    private boolean failed(Throwable e) {
        failures.increment();
        if (!failing) {
            failing = true;
            log.warn("Could not take a sample for the metrics; going on trying", e);
        }
        return false;
    }

    /** A count, which keeps its value while the relay cannot be asked. */
    long relayRestarts() {
        return relayRestarts;
    }

    private double age() {
        return System.nanoTime() - succeededAt;
    }

    private <T> double of(@Nullable T sample, ToDoubleFunction<T> value) {
        return closed || sample == null ? Double.NaN : value.applyAsDouble(sample);
    }

    private void outboxGauge(String name, String description, ToDoubleFunction<OutboxStats> value) {
        gauge(name, description, tags, samples -> samples.of(samples.stats, value));
    }

    private void relayGauge(String name, String description, Tags with, ToDoubleFunction<RelayHealth> value) {
        gauge(name, description, with, samples -> samples.of(samples.health, value));
    }

    private void topicGauge(String topic) {
        if (topicGauges.add(topic)) {
            relayGauge(
                    MeterNames.TOPIC_CLOSED,
                    "1 while the topic cannot be reached",
                    tags.and("topic", topic),
                    h -> closedTopics.contains(topic) ? 1 : 0);
        }
    }

    private void gauge(String name, String description, Tags with, ToDoubleFunction<Samples> value) {
        Gauge.builder(name, this, value)
                .description(description)
                .tags(with)
                .strongReference(true)
                .register(registry);
    }
}
