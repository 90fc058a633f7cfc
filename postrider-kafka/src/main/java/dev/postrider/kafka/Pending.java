package dev.postrider.kafka;

import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.PublishAnswers;
import dev.postrider.spi.PublishResult;
import org.apache.kafka.clients.producer.ProducerRecord;

/** A message that waits for its answer, which it gets once. Thread-safe. */
final class Pending {

    private final ClaimedMessage claimed;
    private final ProducerRecord<byte[], byte[]> data;
    private final PublishAnswers answers;
    private final Unanswered unanswered;
    private final long since = System.nanoTime();
    private volatile boolean sent;

    Pending(
            ClaimedMessage claimed,
            ProducerRecord<byte[], byte[]> data,
            PublishAnswers answers,
            Unanswered unanswered) {
        this.claimed = claimed;
        this.data = data;
        this.answers = answers;
        this.unanswered = unanswered;
    }

    ProducerRecord<byte[], byte[]> data() {
        return data;
    }

    String topic() {
        return data.topic();
    }

    int shard() {
        return claimed.shard();
    }

    long since() {
        return since;
    }

    /** A producer has the message: it may reach the broker at any time. */
    void markSent() {
        sent = true;
    }

    boolean sent() {
        return sent;
    }

    boolean answered() {
        return !unanswered.contains(this);
    }

    /** Gives the answer; later ones are ignored. */
    void answer(PublishResult result) {
        if (unanswered.remove(this)) {
            answers.answer(claimed, result);
        }
    }
}
