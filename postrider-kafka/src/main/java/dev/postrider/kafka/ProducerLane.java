package dev.postrider.kafka;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends with one idempotent producer at a time. A producer that timed out or broke is closed before the next one is
 * made, so that nothing it still holds can overtake what is sent again. Thread-safe.
 */
final class ProducerLane {

    private static final Logger log = LoggerFactory.getLogger(ProducerLane.class);

    private final Supplier<Producer<byte[], byte[]>> producers;
    private final Executor executor;
    private final Runnable replaced;
    private CompletableFuture<Void> predecessor = CompletableFuture.completedFuture(null);
    private @Nullable CompletableFuture<Generation> current;
    private boolean closed;

    /** Calls {@code replaced} when every topic has to be prepared again. */
    ProducerLane(Supplier<Producer<byte[], byte[]>> producers, Executor executor, Runnable replaced) {
        this.producers = producers;
        this.executor = executor;
        this.replaced = replaced;
    }

    /** Makes the producer know the topic. */
    CompletionStage<Void> prepare(String topic) {
        return generation().thenAcceptAsync(generation -> generation.learn(topic), executor);
    }

    // A producer resolves the broker's name when it is made, so that is not done on the caller's thread.
    private synchronized CompletableFuture<Generation> generation() {
        if (closed) {
            return CompletableFuture.failedFuture(new IllegalStateException("The publisher is closed"));
        }
        CompletableFuture<Generation> present = current;
        if (present == null || present.isCompletedExceptionally()) {
            present = predecessor.thenApplyAsync(ended -> new Generation(producers.get(), this::retire), executor);
            current = present;
        }
        return present;
    }

    private synchronized @Nullable Generation ready() {
        return current == null || !current.isDone() || current.isCompletedExceptionally() ? null : current.join();
    }

    /** Sends messages to one topic and returns those that no producer was ready for. */
    List<Pending> send(List<Pending> messages) {
        Generation generation = ready();
        return generation == null ? messages : generation.send(messages);
    }

    /** The message got no answer in time. */
    void late(Pending message) {
        Generation generation = ready();
        if (message.sent() && generation != null) {
            retire(generation, "no answer in time");
        }
    }

    private void retire(Generation generation, String reason) {
        synchronized (this) {
            if (ready() != generation) {
                return;
            }
            generation.retire(reason);
            current = null;
            predecessor = CompletableFuture.runAsync(generation::end, executor).exceptionally(ProducerLane::report);
        }
        replaced.run();
        log.warn("Replacing the Kafka producer: {}", reason);
    }

    // A producer whose end failed has ended all the same.
    private static @Nullable Void report(Throwable error) {
        log.warn("Ending a Kafka producer did not go well: {}", KafkaErrors.text(error));
        return null;
    }

    void close() {
        CompletableFuture<Generation> present;
        synchronized (this) {
            closed = true;
            present = current;
        }
        // Also one that is just being made.
        if (present != null) {
            CompletableFuture<Void> unused = present.thenAccept(Generation::close);
        }
    }
}
