package dev.postrider.server.dev.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.postrider.OutboxMessage;
import dev.postrider.inbox.ReceivedMessage;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.PublishResult.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class DevBrokerTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final List<String> ORDERS = List.of("orders");
    private static final int FULL = 5_000;

    private final DevBroker broker = new DevBroker();
    private final MessagePublisher publisher = broker.publisher();
    private final Map<Long, PublishResult> answers = new ConcurrentHashMap<>();

    @BeforeEach
    void answersAtOnce() {
        broker.latency(Duration.ZERO);
    }

    @AfterEach
    void close() {
        publisher.close();
    }

    @Test
    void groupGetsMessagesInTheOrderOfTheirArrival() throws InterruptedException {
        broker.join("warehouse", ORDERS);

        publish(claimed(1, "{}"), claimed(2, "{}"), claimed(3, "{}"));

        assertThat(received("warehouse")).containsExactly(1L, 2L, 3L);
        assertThat(answers.values())
                .allSatisfy(answer -> assertThat(answer.kind()).isEqualTo(Kind.ACKED));
    }

    @Test
    void messageWithoutAcknowledgementComesAgain() throws InterruptedException {
        broker.join("warehouse", ORDERS);
        publish(claimed(1, "{}"), claimed(2, "{}"));

        assertThat(received("warehouse")).containsExactly(1L, 2L);
        broker.acknowledge("warehouse", "orders", 1);

        assertThat(received("warehouse")).containsExactly(2L);
    }

    @Test
    void eachGroupHasItsOwnPosition() throws InterruptedException {
        broker.join("warehouse", ORDERS);
        broker.join("ledger", ORDERS);
        publish(claimed(1, "{}"));

        broker.acknowledge("warehouse", "orders", 1);

        assertThat(received("warehouse")).isEmpty();
        assertThat(received("ledger")).containsExactly(1L);
    }

    @Test
    void brokenBrokerTakesAndGivesNothingUntilItsRestore() throws InterruptedException {
        broker.join("warehouse", ORDERS);
        publish(claimed(1, "{}"));

        broker.breakDown();
        publish(claimed(2, "{}"));

        assertThat(answer(2).kind()).isEqualTo(Kind.UNAVAILABLE);
        assertThat(received("warehouse")).isEmpty();
        assertThat(broker.acknowledge("warehouse", "orders", 1)).isFalse();
        broker.restore();
        assertThat(received("warehouse")).containsExactly(1L);
    }

    @Test
    void ackIsLostWhenTheBrokerBreaksOnItsWayBack() throws InterruptedException {
        broker.join("warehouse", ORDERS);
        broker.latency(Duration.ofMillis(200));

        publish(claimed(1, "{}"));
        broker.breakDown();

        await().atMost(PATIENCE).until(() -> answers.containsKey(1L));
        assertThat(answer(1).kind()).isEqualTo(Kind.UNAVAILABLE);
        broker.restore();
        assertThat(received("warehouse")).containsExactly(1L);
    }

    @Test
    void payloadThatIsNoCompleteJsonIsRefusedForGood() {
        publish(claimed(1, "{\"order\":"));

        assertThat(answer(1).kind()).isEqualTo(Kind.REJECTED);
    }

    @Test
    void throttledMessageIsTakenAtItsThirdAttempt() {
        broker.flaky("orders", 1);

        publish(claimed(1, 1, "{}"), claimed(2, 2, "{}"), claimed(3, 3, "{}"));

        assertThat(answer(1).kind()).isEqualTo(Kind.FAILED);
        assertThat(answer(2).kind()).isEqualTo(Kind.FAILED);
        assertThat(answer(3).kind()).isEqualTo(Kind.ACKED);
    }

    @Test
    void fullTopicTakesNoMoreUntilItsConsumerGoesOn() {
        broker.join("warehouse", ORDERS);
        for (int seq = 1; seq <= FULL; seq++) {
            publish(claimed(seq, "{}"));
        }

        publish(claimed(FULL + 1, "{}"));
        assertThat(answer(FULL + 1).kind()).isEqualTo(Kind.UNAVAILABLE);

        broker.acknowledge("warehouse", "orders", 1);
        publish(claimed(FULL + 2, "{}"));
        assertThat(answer(FULL + 2).kind()).isEqualTo(Kind.ACKED);
        assertThat(broker.lag("warehouse", ORDERS)).isEqualTo(FULL);
    }

    @Test
    void latencyBeyondTheLimitIsRefused() {
        assertThatThrownBy(() -> broker.latency(Duration.ofSeconds(11)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT11S");
    }

    private void publish(ClaimedMessage... wave) {
        publisher.publish(List.of(wave), (message, result) -> answers.put(message.seq(), result));
    }

    private PublishResult answer(long seq) {
        assertThat(answers).containsKey(seq);
        return Objects.requireNonNull(answers.get(seq));
    }

    private List<Long> received(String group) throws InterruptedException {
        List<Long> found = new ArrayList<>();
        for (ReceivedMessage each : broker.receive(group, ORDERS, 10, Duration.ofMillis(1))) {
            found.add(each.sequence().orElseThrow());
        }
        return found;
    }

    private static ClaimedMessage claimed(long seq, String payload) {
        return claimed(seq, 1, payload);
    }

    private static ClaimedMessage claimed(long seq, int attempt, String payload) {
        OutboxMessage message = OutboxMessage.to("orders", "order-placed")
                .key("o-1")
                .payload(payload)
                .build();
        return new ClaimedMessage(seq, seq, "relay", 0, attempt, false, 0, false, null, message);
    }
}
