package dev.postrider.benchmarks.publishers;

import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.PublishAnswers;
import dev.postrider.spi.PublishResult;
import java.util.List;

/** Acks everything at once: what is left is the cost of the relay itself. */
final class NoopPublisher implements MessagePublisher {

    @Override
    public void publish(List<ClaimedMessage> wave, PublishAnswers answers) {
        wave.forEach(message -> answers.answer(message, PublishResult.acked()));
    }
}
