package dev.postrider.publish;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.PublishAnswers;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.TopicName;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One message on its way through a {@link HandlerPool}, which guards everything but the answer. */
final class HandlerTask implements Runnable {

    private static final Logger log = LoggerFactory.getLogger(HandlerTask.class);

    /** Which messages wait for each other: those of one key, and without a key those with the same id. */
    record Lane(TopicName topic, Object keyOrId) {

        static Lane of(OutboxMessage message) {
            return new Lane(
                    TopicName.of(message), message.key().<Object>map(key -> key).orElseGet(message::id));
        }
    }

    final Lane lane;
    final Delivery delivery;
    final long acceptedNanos;
    private final ClaimedMessage claimed;
    private final PublishAnswers answers;
    private final HandlerPool pool;
    private final AtomicBoolean answered = new AtomicBoolean();

    // Set once, when a thread begins with it.
    boolean running;
    long begunNanos;
    boolean reportedSlow;

    HandlerTask(ClaimedMessage claimed, PublishAnswers answers, HandlerPool pool, long acceptedNanos) {
        this.lane = Lane.of(claimed.message());
        this.delivery = new Delivery(claimed.message(), claimed.attempt(), claimed.seq());
        this.claimed = claimed;
        this.answers = answers;
        this.pool = pool;
        this.acceptedNanos = acceptedNanos;
    }

    @Override
    public void run() {
        pool.run(this);
    }

    /** Gives the answer, unless there was one before. */
    void answer(PublishResult result) {
        if (answered.getAndSet(true)) {
            return;
        }
        try {
            answers.answer(claimed, result);
        } catch (RuntimeException e) {
            // Whoever waits for the answer will time out; the lane must go on.
            log.warn("Could not report that message {} is {}", claimed.message().id(), result.kind(), e);
        }
    }
}
