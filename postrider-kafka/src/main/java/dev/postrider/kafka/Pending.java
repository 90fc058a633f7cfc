package dev.postrider.kafka;

import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.PublishResult;
import org.apache.kafka.clients.producer.ProducerRecord;

/** A message that waits for its answer, which it gets once. Thread-safe. */
final class Pending {

    private final ClaimedMessage claimed;
    private final ProducerRecord<byte[], byte[]> data;
    private final Wave wave;
    private final int place;
    private volatile boolean sent;

    Pending(ClaimedMessage claimed, ProducerRecord<byte[], byte[]> data, Wave wave, int place) {
        this.claimed = claimed;
        this.data = data;
        this.wave = wave;
        this.place = place;
    }

    /** Where it is in its wave. */
    int place() {
        return place;
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

    /** A producer has the message: it may reach the broker at any time. */
    void markSent() {
        sent = true;
    }

    boolean sent() {
        return sent;
    }

    boolean answered() {
        return !wave.contains(this);
    }

    /** Gives the answer; later ones are ignored. */
    void answer(PublishResult result) {
        if (wave.remove(this)) {
            wave.answers().answer(claimed, result);
        }
    }
}
