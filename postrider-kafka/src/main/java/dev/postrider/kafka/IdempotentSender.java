package dev.postrider.kafka;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** Sends with one producer, and with a second one to topics that do not take its batches. Thread-safe. */
final class IdempotentSender implements Sender {

    private final ProducerLane batched;
    private final ProducerLane unbatched;
    private final int batchSize;

    /** Calls {@code replaced} when every topic has to be prepared again. */
    IdempotentSender(Producers producers, int batchSize, Executor executor, Runnable replaced) {
        this.batched = new ProducerLane(producers::idempotent, executor, replaced);
        this.unbatched = new ProducerLane(producers::unbatched, executor, replaced);
        this.batchSize = batchSize;
    }

    @Override
    public CompletionStage<Void> prepare(Topic topic) {
        return lane(topic).prepare(topic.name());
    }

    @Override
    public List<Pending> send(Topic topic, List<Pending> messages) {
        return lane(topic).send(messages);
    }

    private ProducerLane lane(Topic topic) {
        return topic.isNarrow(batchSize) ? unbatched : batched;
    }

    @Override
    public void late(Pending message) {
        batched.late(message);
        unbatched.late(message);
    }

    @Override
    public void close() {
        batched.close();
        unbatched.close();
    }
}
