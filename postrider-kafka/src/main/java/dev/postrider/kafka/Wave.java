package dev.postrider.kafka;

import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.PublishAnswers;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one call that have no answer yet. Each has a place of its own, so that taking it out costs no look-up
 * and leaves nothing of it behind. Filled by one thread; then thread-safe.
 */
final class Wave {

    private final AtomicReferenceArray<@Nullable Pending> unanswered;
    private final PublishAnswers answers;
    private final long since = System.nanoTime();
    private int size;

    Wave(int most, PublishAnswers answers) {
        this.unanswered = new AtomicReferenceArray<>(most);
        this.answers = answers;
    }

    Pending add(ClaimedMessage claimed, ProducerRecord<byte[], byte[]> data) {
        Pending message = new Pending(claimed, data, this, size++);
        unanswered.set(message.place(), message);
        return message;
    }

    PublishAnswers answers() {
        return answers;
    }

    long since() {
        return since;
    }

    boolean contains(Pending message) {
        return unanswered.get(message.place()) == message;
    }

    /** Takes a message out; returns false if somebody else did. */
    boolean remove(Pending message) {
        return unanswered.compareAndSet(message.place(), message, null);
    }

    boolean isEmpty() {
        for (int place = 0; place < unanswered.length(); place++) {
            if (unanswered.get(place) != null) {
                return false;
            }
        }
        return true;
    }

    void forEach(Consumer<Pending> what) {
        for (int place = 0; place < unanswered.length(); place++) {
            Pending message = unanswered.get(place);
            if (message != null) {
                what.accept(message);
            }
        }
    }
}
