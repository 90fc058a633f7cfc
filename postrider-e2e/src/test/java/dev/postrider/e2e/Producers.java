package dev.postrider.e2e;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/** Several producers, each with its part of the keys, on threads of their own. For one thread. */
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
    private final List<Future<?>> ticks = new ArrayList<>();

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

    /** Enqueues this many messages on all threads and waits for it. */
    void enqueue(int messages) {
        List<Future<?>> parts = IntStream.range(0, PRODUCERS)
                .<Future<?>>mapToObj(part -> threads.submit(() -> enqueuePart(part, messages)))
                .toList();
        parts.forEach(Producers::join);
    }

    private void enqueuePart(int part, int messages) {
        int left = messages * (part + 1) / PRODUCERS - messages * part / PRODUCERS;
        for (; left > 0; left -= BATCH) {
            enqueue(producers.get(part), Math.min(left, BATCH));
        }
    }

    /** Goes on enqueuing at this rate until {@link #finish}. */
    void produce(int perSecond) {
        int batch = Math.max(1, (int) (perSecond * TICK.toMillis() / 1_000 / PRODUCERS));
        for (Producer producer : producers) {
            ticks.add(threads.scheduleAtFixedRate(
                    () -> enqueue(producer, batch), 0, TICK.toMillis(), TimeUnit.MILLISECONDS));
        }
    }

    /** Ends all production, after the rest if there were fewer than {@code atLeast} messages. */
    void finish(int atLeast) {
        ticks.stream().filter(tick -> !tick.cancel(false)).forEach(Producers::join);
        threads.shutdown();
        await().atMost(RelayProcess.PATIENCE).until(threads::isTerminated);
        int rest = Math.max(0, atLeast - total());
        IntStream.range(0, PRODUCERS).forEach(part -> enqueuePart(part, rest));
    }

    private void enqueue(Producer producer, int messages) {
        producer.enqueue(messages);
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
