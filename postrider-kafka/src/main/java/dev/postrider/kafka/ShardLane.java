package dev.postrider.kafka;

import dev.postrider.spi.PublishResult;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.TransactionAbortableException;
import org.apache.kafka.common.errors.TransactionAbortedException;
import org.jspecify.annotations.Nullable;

/** The transactions of one shard, one after the other. Thread-safe. */
final class ShardLane {

    private static final int MAX_MESSAGES = 1_000;
    private static final int MAX_ROUNDS = 5;

    private final int shard;
    private final Supplier<Producer<byte[], byte[]>> producers;
    private final Executor executor;
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private boolean running;
    private boolean closed;
    private long lastUsed = System.nanoTime();
    private @Nullable Producer<byte[], byte[]> producer;

    private record Waiting(Pending message, boolean alone) {}

    private record Failed(Waiting origin, Exception error) {}

    ShardLane(int shard, Supplier<Producer<byte[], byte[]>> producers, Executor executor) {
        this.shard = shard;
        this.producers = producers;
        this.executor = executor;
    }

    /** Adds a message, which may have to be {@code alone} in its batch. */
    synchronized void add(Pending message, boolean alone) {
        waiting.add(new Waiting(message, alone));
    }

    /** Begins a transaction with what waits, unless one is under way: then that is next. */
    synchronized void start() {
        if (!running && !closed && !waiting.isEmpty()) {
            running = true;
            executor.execute(this::run);
        }
    }

    private void run() {
        try {
            transmit(next());
        } finally {
            synchronized (this) {
                running = false;
                lastUsed = System.nanoTime();
                notifyAll();
            }
            start();
        }
    }

    private synchronized List<Waiting> next() {
        List<Waiting> part = new ArrayList<>();
        while (!waiting.isEmpty() && part.size() < MAX_MESSAGES) {
            Waiting next = waiting.remove();
            if (!next.message().answered()) {
                part.add(next);
            }
        }
        return part;
    }

    private void transmit(List<Waiting> part) {
        List<Waiting> left = part;
        try {
            for (int round = 0; round < MAX_ROUNDS && !left.isEmpty(); round++) {
                left = transaction(left);
            }
            answer(left, PublishResult.unavailable("The transaction was aborted because of other messages in it"));
        } catch (RuntimeException | Error e) {
            // Whether the transaction was committed is unknown, or it cannot be: only a new producer can tell.
            discard();
            answer(left, unavailable(e));
            if (e instanceof Error error) {
                throw error;
            }
        }
    }

    /** Returns the messages that were not to blame when this transaction had to be aborted. */
    private List<Waiting> transaction(List<Waiting> messages) {
        Producer<byte[], byte[]> begun = producer();
        Queue<Failed> failed = new ConcurrentLinkedQueue<>();
        begun.beginTransaction();
        try {
            for (Waiting each : messages) {
                send(begun, each, failed);
            }
            begun.commitTransaction();
        } catch (KafkaException e) {
            if (KafkaErrors.endsProducer(e)) {
                throw e;
            }
            begun.abortTransaction();
            return withoutCulprits(messages, failed, e);
        }
        answer(messages, PublishResult.acked());
        return List.of();
    }

    private static void send(Producer<byte[], byte[]> producer, Waiting next, Queue<Failed> failed) {
        next.message().markSent();
        if (next.alone()) {
            producer.flush();
        }
        Future<RecordMetadata> unused = producer.send(next.message().data(), (metadata, error) -> {
            if (error != null) {
                failed.add(new Failed(next, error));
            }
        });
        if (next.alone()) {
            producer.flush();
        }
    }

    // The client reports an error first for the message that met it, then the same one for all it had not sent yet.
    private static List<Waiting> withoutCulprits(List<Waiting> messages, Queue<Failed> failed, KafkaException cause) {
        List<Waiting> left = new ArrayList<>(messages);
        Set<Exception> seen = new HashSet<>();
        for (Failed each : failed) {
            boolean first = seen.add(each.error());
            Pending message = each.origin().message();
            PublishResult result = KafkaErrors.result(each.error(), message.topic());
            // Whoever shares an error that blames no message has to wait as well.
            if (isOwn(each.error()) && (first || result.kind() == PublishResult.Kind.UNAVAILABLE)) {
                message.answer(result);
                left.remove(each.origin());
            }
        }
        if (left.size() == messages.size()) {
            throw cause;
        }
        return left;
    }

    // What the client reports for the others of an aborted transaction is not their own error, though it may wrap one.
    private static boolean isOwn(Exception error) {
        return error instanceof ApiException
                && !(error instanceof TransactionAbortedException)
                && !(error instanceof TransactionAbortableException);
    }

    private PublishResult unavailable(Throwable e) {
        return PublishResult.unavailable(
                KafkaErrors.fenced(e)
                        ? "Fenced by Kafka: another relay took over shard " + shard
                        : "The transaction of shard %d did not succeed: %s".formatted(shard, KafkaErrors.text(e)));
    }

    private static void answer(List<Waiting> messages, PublishResult result) {
        messages.forEach(each -> each.message().answer(result));
    }

    // Its start fences every older producer of this shard and ends what that one left unfinished.
    private Producer<byte[], byte[]> producer() {
        Producer<byte[], byte[]> present = present();
        if (present == null) {
            present = producers.get();
            keep(present);
            present.initTransactions();
        }
        return present;
    }

    private synchronized @Nullable Producer<byte[], byte[]> present() {
        return producer;
    }

    private synchronized void keep(Producer<byte[], byte[]> made) {
        if (closed) {
            made.close(Duration.ZERO);
            throw new IllegalStateException("The publisher is closed");
        }
        producer = made;
    }

    private void discard() {
        Producer<byte[], byte[]> broken;
        synchronized (this) {
            broken = producer;
            producer = null;
        }
        if (broken != null) {
            broken.close(Duration.ZERO);
        }
    }

    /** Lets go of a producer that has had nothing to do for a while, most likely because the shard moved away. */
    synchronized void closeIfIdle(Duration idle) {
        if (!running && waiting.isEmpty() && System.nanoTime() - lastUsed > idle.toNanos()) {
            discard();
        }
    }

    /** Begins no more transactions and gives the one under way until {@code deadline}. */
    void close(long deadline) {
        synchronized (this) {
            closed = true;
            try {
                long left = (deadline - System.nanoTime()) / 1_000_000;
                while (running && left > 0) {
                    wait(left);
                    left = (deadline - System.nanoTime()) / 1_000_000;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        discard();
    }
}
