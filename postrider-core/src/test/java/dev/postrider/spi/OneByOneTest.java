package dev.postrider.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OutboxMessage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class OneByOneTest {

    private final List<String> sent = new ArrayList<>();

    @Test
    void messagesAreSentInTheOrderOfTheWaveAndAcked() {
        Map<String, PublishResult> answers =
                publish(MessagePublisher.each(message -> sent.add(message.topic())), "a", "b", "c");

        assertThat(sent).containsExactly("a", "b", "c");
        assertThat(answers)
                .hasSize(3)
                .allSatisfy((topic, result) -> assertThat(result).isEqualTo(PublishResult.acked()));
    }

    @Test
    void messageWhoseSenderThrowsHasFailedAndTheOthersAreSent() {
        Map<String, PublishResult> answers = publish(
                MessagePublisher.each(message -> {
                    if (message.topic().equals("b")) {
                        throw new java.io.IOException("no route");
                    }
                    sent.add(message.topic());
                }),
                "a",
                "b",
                "c");

        assertThat(sent).containsExactly("a", "c");
        assertThat(answers).hasEntrySatisfying("b", result -> {
            assertThat(result.kind()).isEqualTo(PublishResult.Kind.FAILED);
            assertThat(result.error()).contains("no route");
        });
    }

    @Test
    void interruptOfTheRelayCostsNoAttempt() {
        Map<String, PublishResult> answers = publish(
                MessagePublisher.each(message -> {
                    throw new InterruptedException();
                }),
                "a",
                "b");

        assertThat(Thread.interrupted()).isTrue();
        assertThat(answers)
                .hasSize(2)
                .allSatisfy((topic, result) -> assertThat(result.kind()).isEqualTo(PublishResult.Kind.UNAVAILABLE));
    }

    private static Map<String, PublishResult> publish(MessagePublisher publisher, String... topics) {
        Map<String, PublishResult> answers = new LinkedHashMap<>();
        List<ClaimedMessage> wave = new ArrayList<>();
        for (String topic : topics) {
            OutboxMessage message = OutboxMessage.to(topic, "type").build();
            wave.add(new ClaimedMessage(wave.size(), 1, "relay", 0, 1, 1, false, 0, false, null, null, message));
        }
        publisher.publish(
                wave, (claimed, result) -> answers.put(claimed.message().topic(), result));
        return answers;
    }
}
