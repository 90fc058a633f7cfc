package dev.postrider.micrometer;

import dev.postrider.thread.SupervisedThread;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks sources on a schedule, on one thread of its own. Thread-safe. */
final class SampleLoop implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(SampleLoop.class);

    private final String name;
    private final Duration every;
    private final List<Sampled<?>> samples = new CopyOnWriteArrayList<>();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile long succeededAt = System.nanoTime();
    private boolean failing;
    private @Nullable SupervisedThread thread;

    SampleLoop(String name, Duration every, MeterRegistry registry, String ageMeter, Tags tags) {
        this.name = name;
        this.every = every;
        TimeGauge.builder(ageMeter, this, TimeUnit.NANOSECONDS, loop -> System.nanoTime() - loop.succeededAt)
                .description("Time since the last sample that succeeded")
                .tags(tags)
                .strongReference(true)
                .register(registry);
    }

    <T> Sampled<T> add(Sampled<T> sampled) {
        samples.add(sampled);
        return sampled;
    }

    synchronized void start() {
        if (thread != null || stopped.getCount() == 0) {
            throw new IllegalStateException(name + " were started before");
        }
        SupervisedThread next = new SupervisedThread(name, this::run);
        next.start();
        thread = next;
    }

    private void run() throws InterruptedException {
        do {
            take();
        } while (!stopped.await(every.toNanos(), TimeUnit.NANOSECONDS));
    }

    /** Asks every source once; one that fails keeps no other from being asked. */
    synchronized void take() {
        boolean good = true;
        for (Sampled<?> each : samples) {
            try {
                each.take();
            } catch (RuntimeException | Error e) {
                if (good && !failing) {
                    log.warn("Could not take a sample for {}; going on trying", name, e);
                }
                good = false;
            }
        }
        failing = !good;
        if (good) {
            succeededAt = System.nanoTime();
        }
    }

    /** Stops asking; gauges show nothing any more. Does not wait for a sample that is being taken. */
    @Override
    public void close() {
        stopped.countDown();
        samples.forEach(Sampled::forget);
    }
}
