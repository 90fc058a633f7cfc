package dev.postrider.micrometer;

import dev.postrider.inbox.InboxException;
import dev.postrider.inbox.ParkReason;
import dev.postrider.inbox.consumer.ConsumerHealth;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The meters of an inbox. Thread-safe. */
final class InboxMeters {

    private final MeterRegistry registry;
    private final Tags tags;
    private final TagValues<String> consumers;
    private final Map<String, OfConsumer> known = new ConcurrentHashMap<>();

    /** What is counted of one consumer; every counter is there from the start, so that a first event is an increase. */
    private record OfConsumer(
            Counter processed,
            Timer transaction,
            Counter duplicates,
            Counter skipped,
            Counter repeated,
            Map<ParkReason, Counter> parkings,
            Map<InboxException.Reason, Counter> failures) {}

    InboxMeters(MeterRegistry registry, Tags tags, TagValues<String> consumers) {
        this.registry = registry;
        this.tags = tags;
        this.consumers = consumers;
    }

    Tags of(String consumer) {
        return tags.and("consumer", consumers.of(consumer));
    }

    void register(String consumer) {
        meters(consumer);
    }

    void processed(String consumer, int messages, Duration took) {
        OfConsumer meters = meters(consumer);
        meters.processed.increment(messages);
        meters.transaction.record(took);
    }

    void duplicate(String consumer) {
        meters(consumer).duplicates.increment();
    }

    void skipped(String consumer) {
        meters(consumer).skipped.increment();
    }

    void repeated(String consumer) {
        meters(consumer).repeated.increment();
    }

    void parked(String consumer, ParkReason reason) {
        increment(meters(consumer).parkings.get(reason));
    }

    void failed(String consumer, InboxException.Reason reason) {
        increment(meters(consumer).failures.get(reason));
    }

    void watch(String consumer, Sampled<PutAside> sampled) {
        Tags with = of(consumer);
        sampled.gauge(registry, MeterNames.INBOX_PARKED, "Messages that wait for a decision", with, PutAside::parked);
        sampled.gauge(registry, MeterNames.INBOX_BEHIND, "Messages that wait for a parked one", with, PutAside::behind);
        sampled.gauge(
                registry, MeterNames.INBOX_RELEASED, "Messages that are tried again soon", with, PutAside::released);
        sampled.gauge(registry, MeterNames.INBOX_KEYS_HELD, "Keys that parked messages hold", with, PutAside::keys);
        sampled.time(
                registry,
                MeterNames.INBOX_OLDEST_READY,
                "How long the oldest released message has waited",
                with,
                PutAside::oldestReady);
    }

    void watch(String consumer, String system, Sampled<ConsumerHealth> sampled) {
        Tags with = of(consumer).and("messaging.system", system);
        sampled.gauge(
                registry,
                MeterNames.CONSUMER_ALIVE,
                "1 if every thread of the consumer runs",
                with,
                health -> health.alive() ? 1 : 0);
        sampled.gauge(
                registry,
                MeterNames.CONSUMER_RUNNING,
                "1 if the consumer is connected and receives",
                with,
                health -> health.state() == ConsumerHealth.State.RUNNING ? 1 : 0);
        sampled.gauge(
                registry,
                MeterNames.CONSUMER_LAG,
                "Messages still to be received; NaN if nobody knows",
                with,
                health -> health.lag().isPresent() ? health.lag().getAsLong() : Double.NaN);
        sampled.gauge(
                registry,
                MeterNames.CONSUMER_IN_HAND,
                "Messages received and not acknowledged",
                with,
                ConsumerHealth::inHand);
        sampled.gauge(
                registry,
                MeterNames.CONSUMER_WAITING,
                "Messages that failed and wait for their next attempt",
                with,
                health -> health.waiting().size());
        sampled.time(
                registry,
                MeterNames.CONSUMER_UNDER_WAY,
                "How long the longest call of a handler has been running",
                with,
                ConsumerHealth::underWay);
    }

    private static void increment(@Nullable Counter counter) {
        if (counter != null) {
            counter.increment();
        }
    }

    private OfConsumer meters(String consumer) {
        return known.computeIfAbsent(consumers.of(consumer), this::make);
    }

    private OfConsumer make(String consumer) {
        Tags with = tags.and("consumer", consumer);
        return new OfConsumer(
                counter(MeterNames.INBOX_PROCESSED, "Messages handled", with),
                Timer.builder(MeterNames.INBOX_TRANSACTION)
                        .description("Transactions that handled messages")
                        .tags(with)
                        .register(registry),
                counter(MeterNames.INBOX_DUPLICATES, "Messages that were handled before", with),
                counter(MeterNames.INBOX_SKIPPED, "Messages beyond the horizon, taken for duplicates", with),
                counter(MeterNames.INBOX_REPEATED, "Transactions that lost a conflict and were repeated", with),
                RelayMeters.byEnum(
                        ParkReason.class,
                        reason -> counter(
                                MeterNames.INBOX_PARKINGS,
                                "Messages parked",
                                with.and("reason", RelayMeters.lower(reason)))),
                RelayMeters.byEnum(
                        InboxException.Reason.class,
                        reason -> counter(
                                MeterNames.INBOX_FAILURES,
                                "Deliveries that were not handled and come again",
                                with.and("reason", RelayMeters.lower(reason)))));
    }

    private Counter counter(String name, String description, Tags with) {
        return Counter.builder(name).description(description).tags(with).register(registry);
    }
}
