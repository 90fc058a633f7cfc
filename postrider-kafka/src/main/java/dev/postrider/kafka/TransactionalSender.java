package dev.postrider.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.IntFunction;
import org.apache.kafka.clients.producer.Producer;

/**
 * Sends every wave's part of a shard as one transaction. A transactional producer belongs to one shard because relays
 * own whole shards: with a wider one two healthy relays would fence each other. Thread-safe.
 */
final class TransactionalSender implements Sender {

    private static final Duration IDLE = Duration.ofMinutes(5);
    private static final Duration CLOSE = Duration.ofSeconds(1);

    private final IntFunction<Producer<byte[], byte[]>> producers;
    private final int batchSize;
    private final Executor executor;
    private final Map<Integer, ShardLane> lanes = new ConcurrentHashMap<>();
    private volatile boolean closed;

    TransactionalSender(IntFunction<Producer<byte[], byte[]>> producers, int batchSize, Executor executor) {
        this.producers = producers;
        this.batchSize = batchSize;
        this.executor = executor;
    }

    // A transaction runs on a thread of its own, which may wait for what the producer does not know yet.
    @Override
    public CompletionStage<Void> prepare(Topic topic) {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public List<Pending> send(Topic topic, List<Pending> messages) {
        boolean alone = topic.isNarrow(batchSize);
        messages.forEach(message -> lane(message.shard()).add(message, alone));
        return List.of();
    }

    private ShardLane lane(int shard) {
        return lanes.computeIfAbsent(shard, s -> new ShardLane(s, () -> producers.apply(s), executor));
    }

    @Override
    public void endWave() {
        if (!closed) {
            lanes.values().forEach(ShardLane::start);
        }
    }

    @Override
    public void tidy() {
        lanes.values().forEach(lane -> lane.closeIfIdle(IDLE));
    }

    @Override
    public void close() {
        closed = true;
        long deadline = System.nanoTime() + CLOSE.toNanos();
        lanes.values().forEach(lane -> lane.close(deadline));
    }
}
