package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.PublishResult.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class FlakyPublisherTest {

    private final FlakyPublisher publisher = new FlakyPublisher();
    private final List<Kind> answers = new ArrayList<>();

    @Test
    void troubleHappensInTheOrderItWasToldAndThenEnds() {
        publisher.failNext(2).rejectNext(1).unavailableNext(1);

        publish(5);

        assertThat(answers).containsExactly(Kind.FAILED, Kind.FAILED, Kind.REJECTED, Kind.UNAVAILABLE, Kind.ACKED);
        assertThat(publisher.broker().received()).hasSize(1);
    }

    @Test
    void aDroppedAnswerLeavesTheMessageAtTheBroker() {
        publisher.dropAnswers(1);

        publish(1);

        assertThat(answers).isEmpty();
        assertThat(publisher.broker().received()).hasSize(1);
    }

    @Test
    void aSecondAnswerContradictsTheFirst() {
        publisher.answerTwice(1);

        publish(1);

        assertThat(answers).containsExactly(Kind.ACKED, Kind.FAILED);
        assertThat(publisher.broker().received()).hasSize(1);
    }

    @Test
    void ackThenThrowLeavesTheRestOfTheWaveWithoutAnswer() {
        publisher.ackThenThrow();

        assertThatThrownBy(() -> publish(3)).isInstanceOf(IllegalStateException.class);

        assertThat(answers).containsExactly(Kind.ACKED);
        assertThat(publisher.broker().received()).hasSize(1);
    }

    @Test
    void heldAnswersComeWhenTheyAreReleased() {
        publisher.hold();
        publish(3);
        assertThat(answers).isEmpty();
        assertThat(publisher.held()).isEqualTo(3);

        publisher.releaseHeld();

        assertThat(answers).containsExactly(Kind.ACKED, Kind.ACKED, Kind.ACKED);
        assertThat(publisher.held()).isZero();
        publish(1);
        assertThat(answers).hasSize(4);
    }

    @Test
    void aStandingAnswerHoldsUntilRecovery() {
        publisher.always(message -> message.type().equals("type-1"), PublishResult.failed("poison"));
        publish(2);
        publish(2);
        assertThat(answers).containsExactly(Kind.ACKED, Kind.FAILED, Kind.ACKED, Kind.FAILED);

        publisher.recover();

        publish(2);
        assertThat(answers.subList(4, 6)).containsOnly(Kind.ACKED);
    }

    private void publish(int messages) {
        List<ClaimedMessage> wave = IntStream.range(0, messages)
                .mapToObj(i -> OutboxMessage.to("orders", "type-" + i).build())
                .map(message -> new ClaimedMessage(1, 1, "relay", 0, 1, false, 0, false, null, message))
                .toList();
        publisher.publish(wave, (message, result) -> answers.add(result.kind()));
    }
}
