package dev.postrider.e2e;

import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.PublishAnswers;
import java.util.List;

/** Publishes every fourth message twice, as a relay does that did not hear the first answer. Thread-safe. */
record TwicePublisher(MessagePublisher publisher) implements MessagePublisher {

    private static final int EVERY = 4;

    @Override
    public void publish(List<ClaimedMessage> wave, PublishAnswers answers) {
        publisher.publish(wave, answers);
        List<ClaimedMessage> again =
                wave.stream().filter(claimed -> claimed.seq() % EVERY == 0).toList();
        if (!again.isEmpty()) {
            publisher.publish(again, (claimed, result) -> {});
        }
    }

    @Override
    public void close() {
        publisher.close();
    }
}
