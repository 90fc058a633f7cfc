package dev.postrider.micrometer;

import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.PublishAnswers;
import dev.postrider.spi.TopicName;
import java.util.List;

/** Measures how long another publisher takes to answer. Thread-safe if the other is. */
final class TimedPublisher implements MessagePublisher {

    private final String system;
    private final MessagePublisher publisher;
    private final RelayMeters meters;

    TimedPublisher(String system, MessagePublisher publisher, RelayMeters meters) {
        this.system = system;
        this.publisher = publisher;
        this.meters = meters;
    }

    @Override
    public void publish(List<ClaimedMessage> wave, PublishAnswers answers) {
        long begin = System.nanoTime();
        publisher.publish(wave, (claimed, result) -> {
            meters.answered(
                    system,
                    TopicName.of(claimed.message()),
                    RelayMeters.lower(result.kind()),
                    System.nanoTime() - begin);
            answers.answer(claimed, result);
        });
    }

    @Override
    public List<String> warnings() {
        return publisher.warnings();
    }

    @Override
    public long restarts() {
        return publisher.restarts();
    }

    @Override
    public void close() {
        publisher.close();
    }
}
