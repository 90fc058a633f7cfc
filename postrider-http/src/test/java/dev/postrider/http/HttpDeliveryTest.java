package dev.postrider.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class HttpDeliveryTest {

    private final HttpDelivery delivery =
            new HttpDelivery(Answers.claimed(Answers.message()), (message, result) -> {}, System.nanoTime());

    @Test
    void whatWasAnsweredWhileItWaitedDoesNotBegin() {
        assertThat(delivery.end()).isEqualTo(HttpDelivery.Phase.WAITING);

        assertThat(delivery.begin()).isFalse();
    }

    @Test
    void whatWasAnsweredWhileItConnectedIsNotSent() {
        assertThat(delivery.begin()).isTrue();
        assertThat(delivery.end()).isEqualTo(HttpDelivery.Phase.CONNECTING);

        assertThat(delivery.send()).isFalse();
    }

    @Test
    void onlyOneEndCounts() {
        delivery.begin();
        delivery.send();

        assertThat(delivery.end()).isEqualTo(HttpDelivery.Phase.SENT);
        assertThat(delivery.end()).isEqualTo(HttpDelivery.Phase.ANSWERED);
    }

    @Test
    void aRequestThatComesAfterTheAnswerIsStopped() {
        AtomicInteger stopped = new AtomicInteger();
        delivery.end();

        delivery.request(() -> stopped.incrementAndGet() > 0);

        assertThat(stopped).hasValue(1);
    }
}
