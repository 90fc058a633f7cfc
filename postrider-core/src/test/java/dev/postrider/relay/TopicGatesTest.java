package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.spi.ClosedGate;
import dev.postrider.spi.TopicName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TopicGatesTest {

    private static final TopicName ORDERS = new TopicName("default", "orders");
    private static final long HOUR = Duration.ofHours(1).toNanos();

    private final TopicGates gates = new TopicGates(new SplittableRandom(1));

    @Test
    void aClosedGateOpensHalfAfterAWhileAndTellsWhereToLook() {
        gates.close(ORDERS, 0, Duration.ZERO, "away");
        gates.lookAgainFrom(ORDERS, 40);
        gates.lookAgainFrom(ORDERS, 17);
        List<Long> from = new ArrayList<>();

        gates.openDue(1, (topic, seq) -> from.add(seq));
        assertThat(gates.isClosed(ORDERS)).isTrue();
        gates.openDue(HOUR, (topic, seq) -> from.add(seq));

        assertThat(gates.isHalfOpen(ORDERS)).isTrue();
        assertThat(from).containsExactly(17L);
    }

    @Test
    void aGateStaysClosedForAsLongAsTheBrokerAsked() {
        gates.close(ORDERS, 0, Duration.ofMinutes(5), "away");

        gates.openDue(Duration.ofMinutes(4).toNanos(), (topic, seq) -> {});
        assertThat(gates.isClosed(ORDERS)).isTrue();
        gates.openDue(Duration.ofMinutes(5).toNanos(), (topic, seq) -> {});

        assertThat(gates.isHalfOpen(ORDERS)).isTrue();
    }

    @Test
    void aGateOpensAlsoWhenTheClockIsBelowZero() {
        long now = -4 * HOUR;
        boolean closed = gates.close(ORDERS, now, Duration.ZERO, "away");
        gates.openDue(now + HOUR, (topic, seq) -> {});

        assertThat(closed).isTrue();
        assertThat(gates.isHalfOpen(ORDERS)).isTrue();
    }

    @Test
    void rowsOfNewShardsAreLookedAtWhenAClosedTopicOpens() {
        gates.close(ORDERS, 0, Duration.ZERO, "away");
        gates.lookAgainFrom(ORDERS, 40);
        gates.lookAgainFrom(12);
        List<Long> from = new ArrayList<>();
        gates.openDue(HOUR, (topic, seq) -> from.add(seq));

        assertThat(from).containsExactly(12L);
    }

    @Test
    void manyFailuresOfOneOutageCloseTheGateOnce() {
        assertThat(gates.close(ORDERS, 0, Duration.ZERO, "away")).isTrue();
        assertThat(gates.close(ORDERS, 1, Duration.ZERO, "away")).isFalse();
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
                gates.openDue(now, (topic, seq) -> {});
            }
            longest = Math.max(longest, now - closedAt);
        }

        assertThat(Duration.ofNanos(longest)).isBetween(Duration.ofSeconds(15), Duration.ofMillis(30_010));
    }

    @Test
    void anAnswerOpensAHalfOpenGateForGood() {
        gates.close(ORDERS, 0, Duration.ZERO, "away");
        gates.openDue(HOUR, (topic, seq) -> {});

        assertThat(gates.answered(ORDERS)).isTrue();
        assertThat(gates.closed()).isEmpty();
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
        gates.openDue(HOUR, (topic, seq) -> {});
        assertThat(gates.closed()).containsExactly(ORDERS);

        gates.resume(ORDERS);
        gates.openDue(HOUR, (topic, seq) -> {});
        assertThat(gates.closed()).isEmpty();
    }

    @Test
    void aTopicIsOutOfReachFromTheFirstTroubleToTheNextAnswer() {
        gates.close(ORDERS, 0, Duration.ZERO, "away");
        assertThat(gates.unreachable(1)).containsExactly(ORDERS);

        gates.openDue(Duration.ofSeconds(1).toNanos(), (topic, seq) -> {});
        assertThat(gates.unreachable(Duration.ofSeconds(1).toNanos())).containsExactly(ORDERS);
        gates.answered(ORDERS);

        assertThat(gates.unreachable(Duration.ofSeconds(1).toNanos())).isEmpty();
    }

    @Test
    void aTopicNobodyTriesIsNotOutOfReachForEver() {
        gates.close(ORDERS, 0, Duration.ZERO, "away");

        gates.openDue(HOUR, (topic, seq) -> {});

        assertThat(gates.unreachable(HOUR)).isEmpty();
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
        gates.close(ORDERS, 0, Duration.ZERO, "no leader");
        gates.openDue(Duration.ofSeconds(1).toNanos(), (topic, from) -> {});
        gates.close(ORDERS, Duration.ofSeconds(2).toNanos(), Duration.ZERO, "topic missing");

        assertThat(gates.closedGates(Duration.ofSeconds(3).toNanos(), 10))
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
