package dev.postrider.e2e;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Several producers, each with its part of the keys and a thread of its own. Thread-safe. */
final class Producers implements AutoCloseable {

    private static final int PRODUCERS = 4;
    private static final Duration TICK = Duration.ofMillis(20);
    private static final int BATCH = 500;

    private final List<Producer> producers;
    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(PRODUCERS, task -> {
        Thread thread = new Thread(task, "producer");
        thread.setDaemon(true);
        return thread;
    });
    private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
    private volatile boolean steady;

    // Transactions of different producers commit in the order of their sequences. Where they do not, order per key does
    // not hold: LateCommitOrderIT shows it.
    private final Lock commitOrder = new ReentrantLock(true);

    Producers(DataSource dataSource, int keys) {
        this.producers = IntStream.range(0, PRODUCERS)
                .mapToObj(part -> new Producer(
                        dataSource,
                        IntStream.range(0, keys)
                                .filter(key -> key % PRODUCERS == part)
                                .mapToObj(key -> "key-" + key)
                                .toList()))
                .toList();
    }

    /** Enqueues this many messages and waits for it. */
    void enqueue(int messages) {
        List<Future<?>> parts = IntStream.range(0, PRODUCERS)
                .<Future<?>>mapToObj(part -> threads.submit(() -> {
                    int left = messages * (part + 1) / PRODUCERS - messages * part / PRODUCERS;
                    for (; left > 0; left -= BATCH) {
                        enqueue(producers.get(part), Math.min(left, BATCH));
                    }
                }))
                .toList();
        parts.forEach(Producers::join);
    }

    /** Goes on enqueuing at this rate until {@link #finish}. */
    void produce(int perSecond) {
        int batch = Math.max(1, (int) (perSecond * TICK.toMillis() / 1_000 / PRODUCERS));
        steady = true;
        for (Producer producer : producers) {
            threads.scheduleAtFixedRate(() -> tick(producer, batch), 0, TICK.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void tick(Producer producer, int batch) {
        try {
            if (steady) {
                enqueue(producer, batch);
            }
        } catch (RuntimeException e) {
            failure.compareAndSet(null, e);
            throw e;
        }
    }

    private void enqueue(Producer producer, int messages) {
        commitOrder.lock();
        try {
            producer.enqueue(messages);
        } finally {
            commitOrder.unlock();
        }
    }

    /** Ends the steady production, and enqueues the rest if there were fewer than {@code atLeast} messages. */
    void finish(int atLeast) {
        steady = false;
        enqueue(Math.max(0, atLeast - total()));
        RuntimeException error = failure.get();
        if (error != null) {
            throw error;
        }
    }

    int total() {
        return producers.stream().mapToInt(Producer::total).sum();
    }

    Map<String, Integer> enqueued() {
        Map<String, Integer> all = new HashMap<>();
        producers.forEach(producer -> all.putAll(producer.enqueued()));
        return all;
    }

    private static void join(Future<?> part) {
        try {
            part.get(RelayProcess.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while enqueuing", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("Could not enqueue", e);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
