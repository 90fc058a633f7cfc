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

    EnqueueMeters(MeterRegistry registry, Tags tags, TagValues<String> types) {
        this.registry = registry;
        this.tags = tags;
        this.types = types;
    }

    void enqueued(String type) {
        enqueued.computeIfAbsent(types.of(type), this::counter).increment();
    }

    private Counter counter(String type) {
        return Counter.builder(MeterNames.ENQUEUED)
                .description("Messages enqueued, whether their transaction has committed or not")
                .tags(tags.and("type", type))
                .register(registry);
    }
}
