package dev.postrider.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What an outbox counts as messages are enqueued. Thread-safe. */
final class EnqueueMeters {

    private final MeterRegistry registry;
    private final Tags tags;
    private final TagValues<String> types;
    private final Map<String, Counter> enqueued = new ConcurrentHashMap<>();
    private final Map<String, Counter> stored = new ConcurrentHashMap<>();

    EnqueueMeters(MeterRegistry registry, Tags tags, TagValues<String> types) {
        this.registry = registry;
        this.tags = tags;
        this.types = types;
    }

    void enqueued(String type) {
        enqueued.computeIfAbsent(
                        types.of(type),
                        each -> counter(
                                MeterNames.ENQUEUED,
                                "Messages enqueued, whether their transaction has committed or not",
                                each))
                .increment();
    }

    void stored(String type, long messages) {
        stored.computeIfAbsent(
                        types.of(type),
                        each -> counter(MeterNames.STORED, "Messages whose transaction has committed", each))
                .increment((double) messages);
    }

    private Counter counter(String name, String description, String type) {
        return Counter.builder(name)
                .description(description)
                .tags(tags.and("type", type))
                .register(registry);
    }
}
