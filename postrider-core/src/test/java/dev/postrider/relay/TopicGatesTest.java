package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.spi.ClosedGate;
import dev.postrider.spi.TopicName;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TopicGatesTest {

    private static final TopicName ORDERS = new TopicName("default", "orders");
    private static final long HOUR = Duration.ofHours(1).toNanos();

    private final TopicGates gates = new TopicGates(new SplittableRandom(1));

    @Test
    void aClosedGateIsHalfOpenAfterAWhile() {
        gates.close(ORDERS, 0, Duration.ZERO, "away");

        gates.openDue(1);
        assertThat(gates.isClosed(ORDERS)).isTrue();
        gates.openDue(HOUR);

        assertThat(gates.isHalfOpen(ORDERS)).isTrue();
    }

    @Test
    void aGateStaysClosedForAsLongAsTheBrokerAsked() {
        gates.close(ORDERS, 0, Duration.ofMinutes(5), "away");

        gates.openDue(Duration.ofMinutes(4).toNanos());
        assertThat(gates.isClosed(ORDERS)).isTrue();
        gates.openDue(Duration.ofMinutes(5).toNanos());

        assertThat(gates.isHalfOpen(ORDERS)).isTrue();
    }

    @Test
    void aGateOpensAlsoWhenTheClockIsBelowZero() {
        long now = -4 * HOUR;
        boolean closed = gates.close(ORDERS, now, Duration.ZERO, "away");
        gates.openDue(now + HOUR);

        assertThat(closed).isTrue();
        assertThat(gates.isHalfOpen(ORDERS)).isTrue();
    }

    @Test
    void manyFailuresOfOneOutageCloseTheGateOnce() {
        assertThat(gates.close(ORDERS, 0, Duration.ZERO, "away")).isTrue();
        assertThat(gates.close(ORDERS, 1, Duration.ZERO, "away")).isFalse();
    }

    @Test
    void failureAfterTheTimeOfAClosedGateClosesItAgain() {
        gates.close(ORDERS, HOUR, Duration.ZERO, "away");

        assertThat(gates.close(ORDERS, 2 * HOUR, Duration.ZERO, "away")).isTrue();
    }

    @Test
    void theWaitGrowsWithEveryOutageInARowUpToHalfAMinute() {
        long now = 0;
        long longest = 0;
        for (int outage = 0; outage < 20; outage++) {
            gates.close(ORDERS, now, Duration.ZERO, "away");
            long closedAt = now;
            while (gates.isClosed(ORDERS)) {
                now += Duration.ofMillis(10).toNanos();
                gates.openDue(now);
            }
            longest = Math.max(longest, now - closedAt);
        }

        assertThat(Duration.ofNanos(longest)).isBetween(Duration.ofSeconds(15), Duration.ofMillis(30_010));
    }

    @Test
    void anAnswerOpensAHalfOpenGateForGood() {
        gates.close(ORDERS, 0, Duration.ZERO, "away");
        gates.openDue(HOUR);

        assertThat(gates.answered(ORDERS)).isTrue();
        assertThat(gates.isClosed(ORDERS)).isFalse();
        assertThat(gates.isHalfOpen(ORDERS)).isFalse();
    }

    @Test
    void aLateAnswerDoesNotOpenAClosedGate() {
        gates.close(ORDERS, 0, Duration.ZERO, "away");

        assertThat(gates.answered(ORDERS)).isFalse();
        assertThat(gates.isClosed(ORDERS)).isTrue();
    }

    @Test
    void aPausedTopicStaysClosedUntilItIsResumed() {
        gates.pause(ORDERS, 0);
        gates.openDue(HOUR);
        assertThat(gates.isClosed(ORDERS)).isTrue();

        gates.resume(ORDERS);
        gates.openDue(HOUR);
        assertThat(gates.isClosed(ORDERS)).isFalse();
    }

    @Test
    void aTopicIsOutOfReachFromTheFirstTroubleToTheNextAnswer() {
        gates.close(ORDERS, 0, Duration.ZERO, "away");
        assertThat(gates.unreachable(1)).containsExactly(ORDERS);

        gates.openDue(Duration.ofSeconds(1).toNanos());
        assertThat(gates.unreachable(Duration.ofSeconds(1).toNanos())).containsExactly(ORDERS);
        gates.answered(ORDERS);

        assertThat(gates.unreachable(Duration.ofSeconds(1).toNanos())).isEmpty();
    }

    @Test
    void aTopicNobodyTriesIsNotOutOfReachForEver() {
        gates.close(ORDERS, 0, Duration.ZERO, "away");

        gates.openDue(HOUR);

        assertThat(gates.unreachable(HOUR)).isEmpty();
    }

    @Test
    void topicIsOutOfReachForAMinuteAfterItCouldBeTried() {
        gates.close(ORDERS, HOUR, Duration.ofSeconds(40), "away");
        gates.openDue(2 * HOUR);
        long tryable = HOUR + Duration.ofSeconds(40).toNanos();
        long minute = Duration.ofMinutes(1).toNanos();

        assertThat(gates.unreachable(tryable + minute - 1)).containsExactly(ORDERS);
        assertThat(gates.unreachable(tryable + minute)).isEmpty();
    }

    @Test
    void aPausedTopicIsNotOutOfReach() {
        gates.pause(ORDERS, 0);
        assertThat(gates.unreachable(1)).isEmpty();

        gates.resume(ORDERS);

        assertThat(gates.unreachable(1)).isEmpty();
    }

    @Test
    void aClosedGateTellsSinceWhenAndWhy() {
        gates.close(ORDERS, HOUR, Duration.ZERO, "no leader");
        gates.openDue(HOUR + Duration.ofSeconds(1).toNanos());
        gates.close(ORDERS, HOUR + Duration.ofSeconds(2).toNanos(), Duration.ZERO, "topic missing");

        assertThat(gates.closedGates(HOUR + Duration.ofSeconds(3).toNanos(), 10))
                .containsExactly(new ClosedGate(ORDERS, Duration.ofSeconds(3), "topic missing"));
    }

    @Test
    void aBoundedNumberOfClosedGatesIsTold() {
        for (int i = 0; i < 1_000; i++) {
            gates.close(new TopicName("default", "topic-" + i), 0, Duration.ZERO, "away");
        }

        assertThat(gates.closedGates(0, 100)).hasSize(100);
    }
}
