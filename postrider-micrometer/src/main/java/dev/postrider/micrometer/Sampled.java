package dev.postrider.micrometer;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * What a source said when it was last asked. Gauges read it, so a scrape asks nothing; they are NaN if the source could
 * not answer. Thread-safe.
 */
final class Sampled<T> {

    private final Supplier<T> source;
    private volatile @Nullable T last;
    private volatile boolean closed;

    Sampled(Supplier<T> source) {
        this.source = source;
    }

    void take() {
        if (closed) {
            return;
        }
        try {
            last = source.get();
        } catch (RuntimeException | Error e) {
            last = null;
            throw e;
        }
    }

    void forget() {
        closed = true;
    }

    void gauge(MeterRegistry registry, String name, String description, Tags tags, ToDoubleFunction<T> value) {
        Gauge.builder(name, this, sampled -> sampled.read(value))
                .description(description)
                .tags(tags)
                .strongReference(true)
                .register(registry);
    }

    void time(MeterRegistry registry, String name, String description, Tags tags, Function<T, Duration> value) {
        TimeGauge.builder(
                        name,
                        this,
                        TimeUnit.MILLISECONDS,
                        sampled -> sampled.read(each -> value.apply(each).toMillis()))
                .description(description)
                .tags(tags)
                .strongReference(true)
                .register(registry);
    }

    private double read(ToDoubleFunction<T> value) {
        T now = last;
        return closed || now == null ? Double.NaN : value.applyAsDouble(now);
    }
}
