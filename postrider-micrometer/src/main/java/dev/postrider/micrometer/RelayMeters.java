package dev.postrider.micrometer;

import dev.postrider.admin.RetentionStep;
import dev.postrider.monitor.AlertMonitor;
import dev.postrider.relay.RetentionJob;
import dev.postrider.safety.SafetyNet;
import dev.postrider.safety.SafetyNetCounts;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.TopicName;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;

/** What a relay counts as it goes. Thread-safe. */
final class RelayMeters {

    private static final int TIME_ORDERED = 7;

    // Few and fixed: each is a time series for every topic.
    private static final Duration[] BUCKETS = {
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(25),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofMillis(2_500),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30),
        Duration.ofMinutes(1),
        Duration.ofMinutes(5)
    };

    private record Outcome(String topic, Settlement.Outcome outcome) {}

    private record Answer(String system, String topic, String outcome) {}

    private final MeterRegistry registry;
    private final Tags tags;
    private final TagValues<TopicName> topics;
    private final InstantSource clock;
    private final Map<Outcome, Counter> settled = new ConcurrentHashMap<>();
    private final Map<String, Timer> delays = new ConcurrentHashMap<>();
    private final Map<Answer, Timer> answers = new ConcurrentHashMap<>();
    private final Map<String, Counter> turnFailures = new ConcurrentHashMap<>();
    private final Map<String, LongSupplier> restarts = new ConcurrentHashMap<>();
    private final LongAdder delivered = new LongAdder();
    private final LongAdder failed = new LongAdder();
    final Counter integrityFailures;
    final Counter deadRefused;
    final Counter fenced;
    final Counter recovered;
    final Counter answersIgnored;
    final Counter shardsAcquired;
    final Counter shardsLost;
    final DistributionSummary batchSize;
    private final Timer emptyPolls;
    private final Timer partialPolls;
    private final Timer fullPolls;

    RelayMeters(MeterRegistry registry, Tags tags, TagValues<TopicName> topics, InstantSource clock) {
        this.registry = registry;
        this.tags = tags;
        this.topics = topics;
        this.clock = clock;
        this.integrityFailures = counter(MeterNames.INTEGRITY_FAILURES, "Rows that were not what was enqueued");
        this.deadRefused = counter(MeterNames.DEAD_REFUSED, "Dead messages that the database refused to record");
        this.fenced = counter(
                MeterNames.FENCED, "Outcomes not written because the shard has another owner or the row has changed");
        this.recovered = counter(MeterNames.CLAIMS_RECOVERED, "Messages that were in flight when their relay died");
        this.answersIgnored = counter(MeterNames.ANSWERS_IGNORED, "Answers given twice, too late or unasked");
        this.shardsAcquired = counter(MeterNames.SHARDS_ACQUIRED, "Shards taken");
        this.shardsLost = counter(MeterNames.SHARDS_LOST, "Shards handed over or lost");
        this.batchSize = DistributionSummary.builder(MeterNames.BATCH_SIZE)
                .description("Messages handed to the relay by one claim")
                .baseUnit("messages")
                .tags(tags)
                .register(registry);
        this.emptyPolls = pollTimer("empty");
        this.partialPolls = pollTimer("partial");
        this.fullPolls = pollTimer("full");
    }

    void registerAliases() {
        alias(MeterNames.ALIAS_PROCESSED, MeterNames.SETTLED + " delivered", delivered);
        alias(MeterNames.ALIAS_FAILED, MeterNames.SETTLED + " retry and dead", failed);
        alias(MeterNames.ALIAS_INTEGRITY, integrityFailures);
        alias(MeterNames.ALIAS_RECOVERED, recovered);
    }

    void settled(List<Settlement> outcomes) {
        for (Settlement settlement : outcomes) {
            String topic = topics.of(TopicName.of(settlement.claimed().message()));
            settled.computeIfAbsent(new Outcome(topic, settlement.outcome()), this::settledCounter)
                    .increment();
            switch (settlement.outcome()) {
                case DELIVERED -> {
                    delivered.increment();
                    delay(topic, settlement.claimed().message().id());
                }
                case RETRY, DEAD -> failed.increment();
                case RELEASED, BEHIND -> {}
            }
        }
    }

    void answered(String system, TopicName topic, String outcome, long nanos) {
        answers.computeIfAbsent(new Answer(system, topics.of(topic), outcome), this::answerTimer)
                .record(Duration.ofNanos(nanos));
    }

    void polled(int messages, boolean full, Duration took) {
        Timer polls = messages == 0 ? emptyPolls : full ? fullPolls : partialPolls;
        polls.record(took);
    }

    void turnFailed(String loop) {
        turnFailures
                .computeIfAbsent(
                        loop,
                        name -> Counter.builder(MeterNames.TURN_FAILURES)
                                .description("Turns of a loop that did not succeed and are tried again")
                                .tags(tags.and("loop", name))
                                .register(registry))
                .increment();
    }

    // The id of a message with a dedupe key tells no time.
    private void delay(String topic, UUID id) {
        if (id.version() == TIME_ORDERED) {
            long millis = clock.millis() - (id.getMostSignificantBits() >>> 16);
            delays.computeIfAbsent(topic, this::delayTimer).record(Duration.ofMillis(Math.max(0, millis)));
        }
    }

    void restarts(String component, LongSupplier source) {
        if (restarts.put(component, source) == null) {
            FunctionCounter.builder(
                            MeterNames.THREAD_RESTARTS,
                            restarts,
                            sources -> sources.getOrDefault(component, source).getAsLong())
                    .description("Threads that ended by an error and were started again")
                    .tags(tags.and("component", component))
                    .register(registry);
        }
    }

    void watch(AlertMonitor monitor) {
        restarts("alerts", () -> monitor.counts().restarts());
        alerts(MeterNames.ALERTS_SENT, "Alerts that a sender has taken", monitor, AlertMonitor.Counts::sent);
        alerts(MeterNames.ALERTS_FAILED, "Alerts that a sender did not take", monitor, AlertMonitor.Counts::failed);
        alerts(MeterNames.ALERTS_DROPPED, "Alerts there was no room for", monitor, AlertMonitor.Counts::dropped);
    }

    void watch(SafetyNet net) {
        restarts("safety-net", net::restarts);
        caught("database", net, SafetyNetCounts::database);
        caught("file", net, SafetyNetCounts::file);
        caught("alert", net, SafetyNetCounts::alert);
        caught("failed", net, SafetyNetCounts::failed);
        caught("lost", net, SafetyNetCounts::lost);
    }

    void watch(RetentionJob job) {
        restarts("retention", job::restarts);
        deleted("message", job, RetentionStep::delivered);
        deleted("attempt", job, RetentionStep::attempts);
        deleted("archive", job, RetentionStep::archive);
        deleted("audit", job, RetentionStep::audit);
        deleted("bulk", job, RetentionStep::bulk);
    }

    private void deleted(String table, RetentionJob job, ToDoubleFunction<RetentionStep> count) {
        FunctionCounter.builder(MeterNames.RETENTION_DELETED, job, source -> count.applyAsDouble(source.total()))
                .description("Rows removed because they are no longer kept")
                .tags(tags.and("table", table))
                .register(registry);
    }

    private void caught(String level, SafetyNet net, ToDoubleFunction<SafetyNetCounts> count) {
        FunctionCounter.builder(MeterNames.SAFETY_NET, net, source -> count.applyAsDouble(source.counts()))
                .description("Dead messages by what has caught them")
                .tags(tags.and("level", level))
                .register(registry);
    }

    private void alerts(
            String name, String description, AlertMonitor monitor, ToDoubleFunction<AlertMonitor.Counts> count) {
        FunctionCounter.builder(name, monitor, source -> count.applyAsDouble(source.counts()))
                .description(description)
                .tags(tags)
                .register(registry);
    }

    private Counter settledCounter(Outcome outcome) {
        return Counter.builder(MeterNames.SETTLED)
                .description("Outcomes written back")
                .tags(tags.and("topic", outcome.topic(), "outcome", lower(outcome.outcome())))
                .register(registry);
    }

    private Timer pollTimer(String result) {
        return Timer.builder(MeterNames.POLL)
                .description("Turns of the fetch loop that asked the store")
                .tags(tags.and("result", result))
                .serviceLevelObjectives(BUCKETS)
                .register(registry);
    }

    private Timer delayTimer(String topic) {
        return Timer.builder(MeterNames.DELIVERY_DELAY)
                .description("From the enqueue to the settled delivery")
                .tags(tags.and("topic", topic))
                .serviceLevelObjectives(BUCKETS)
                .register(registry);
    }

    private Timer answerTimer(Answer answer) {
        return Timer.builder(MeterNames.PUBLISH)
                .description("From handing a message to the publisher to the broker's answer")
                .tags(tags.and(
                        "topic", answer.topic(), "messaging.system", answer.system(), "outcome", answer.outcome()))
                .serviceLevelObjectives(BUCKETS)
                .register(registry);
    }

    private Counter counter(String name, String description) {
        return Counter.builder(name).description(description).tags(tags).register(registry);
    }

    private void alias(String name, String of, LongAdder count) {
        FunctionCounter.builder(name, count, LongAdder::sum)
                .description("Alias of " + of)
                .tags(tags)
                .register(registry);
    }

    private void alias(String name, Counter counter) {
        FunctionCounter.builder(name, counter, Counter::count)
                .description("Alias of " + counter.getId().getName())
                .tags(tags)
                .register(registry);
    }

    static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
