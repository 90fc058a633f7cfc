package dev.postrider.e2e;

import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.PublishAnswers;
import dev.postrider.spi.PublishResult;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Writes straight to a log in the same process, for a single relay. Thread-safe. */
record LogPublisher(SinkLog log) implements MessagePublisher {

    static final String RELAY = "relay";

    @Override
    public void publish(List<ClaimedMessage> wave, PublishAnswers answers) {
        for (ClaimedMessage claimed : wave) {
            log.append(RELAY, line(claimed));
            answers.answer(claimed, PublishResult.acked());
        }
    }

    /** What the log keeps of a message. */
    static String line(ClaimedMessage claimed) {
        String payload = new String(claimed.message().payload(), StandardCharsets.UTF_8);
        return "%d %d %d %s%s".formatted(claimed.seq(), claimed.token(), claimed.shard(), payload, SinkLog.END);
    }
}
