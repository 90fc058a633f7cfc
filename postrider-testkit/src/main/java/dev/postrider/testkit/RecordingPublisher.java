package dev.postrider.testkit;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.PublishAnswers;
import dev.postrider.spi.PublishResult;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A broker that takes everything and remembers it, duplicates included, in the order of arrival. Thread-safe. */
public final class RecordingPublisher implements MessagePublisher {

    private final List<ClaimedMessage> deliveries = new CopyOnWriteArrayList<>();
    private volatile boolean closed;

    /** Makes a broker that has received nothing. */
    public RecordingPublisher() {}

    @Override
    public void publish(List<ClaimedMessage> wave, PublishAnswers answers) {
        for (ClaimedMessage message : wave) {
            record(message);
            answers.answer(message, PublishResult.acked());
        }
    }

    /** What was delivered, with sequence and attempt. */
    public List<ClaimedMessage> deliveries() {
        return List.copyOf(deliveries);
    }

    /** What was received in all topics. */
    public List<OutboxMessage> received() {
        return deliveries.stream().map(ClaimedMessage::message).toList();
    }

    /** What was received in this topic of any namespace. */
    public List<OutboxMessage> received(String topic) {
        return received().stream()
                .filter(message -> message.topic().equals(topic))
                .toList();
    }

    /** Forgets what was received. */
    public void clear() {
        deliveries.clear();
    }

    @Override
    public void close() {
        closed = true;
    }

    void record(ClaimedMessage message) {
        if (closed) {
            throw new IllegalStateException("The publisher is closed");
        }
        deliveries.add(message);
    }
}
