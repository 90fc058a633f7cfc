package dev.postrider.inbox.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.retry.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Lanes hold up themselves and nobody else. A message here is a lane's letter and a number. */
final class ConsumerLanesTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final AtomicLong clock = new AtomicLong();
    private final ConsumerLanes<String> lanes = new ConsumerLanes<>(
            message -> message.charAt(0),
            RetryPolicy.exponentialWithJitter(SECOND, Duration.ofSeconds(4), RetryPolicy.FOREVER),
            clock::get);

    @Test
    void lanesTakeTurnsAndKeepTheirOrder() {
        add("a1", "a2", "b1", "b2");

        assertThat(handleNext(1)).containsExactly("a1");
        assertThat(handleNext(1)).containsExactly("b1");
        assertThat(handleNext(1)).containsExactly("a2");
        assertThat(handleNext(5)).containsExactly("b2");
        assertThat(handleNext(1)).isEmpty();
    }

    @Test
    void aBatchIsFilledFromSeveralLanes() {
        add("a1", "a2", "b1", "b2");

        assertThat(handleNext(3)).containsExactly("a1", "a2", "b1");
    }

    @Test
    void aLaneThatFailedWaitsLongerEachTimeAndTheOthersGoOn() {
        add("a1", "a2", "b1");

        assertThat(lanes.failed("a1")).isEqualTo(1);
        assertThat(handleNext(5)).containsExactly("b1");
        assertThat(lanes.next(5)).isEmpty();
        assertThat(lanes.idleFor(Duration.ofMinutes(1))).isBetween(Duration.ofMillis(500), SECOND);
        assertThat(lanes.waiting()).containsExactly("a1");

        clock.addAndGet(SECOND.toNanos());
        assertThat(lanes.next(5)).containsExactly("a1", "a2");
        assertThat(lanes.failed("a1")).isEqualTo(2);
        assertThat(lanes.idleFor(Duration.ofMinutes(1))).isBetween(SECOND, SECOND.multipliedBy(2));

        lanes.remove("a1");
        assertThat(lanes.waiting()).isEmpty();
        assertThat(handleNext(5)).containsExactly("a2");
    }

    @Test
    void whatIsDoneBehindAFailureIsTakenOutAndTheFailureStillCounts() {
        add("a1", "a2", "a3");
        lanes.failed("a1");

        lanes.remove("a2");

        assertThat(lanes.first('a')).hasValue("a1");
        assertThat(lanes.waiting()).containsExactly("a1");
        assertThat(lanes.failed("a1")).isEqualTo(2);
        assertThat(lanes.all()).containsExactly("a1", "a3");
    }

    @Test
    void aDroppedLaneIsGoneWithEverythingInIt() {
        add("a1", "b1");
        lanes.failed("a1");

        lanes.drop(List.of('a'));

        assertThat(lanes.occupied()).containsExactly('b');
        assertThat(lanes.size()).isEqualTo(1);
        assertThat(lanes.first('a')).isEmpty();
        lanes.remove("a1");
        assertThat(lanes.failed("a1")).isEqualTo(1);
    }

    private void add(String... messages) {
        List.of(messages).forEach(lanes::add);
    }

    private List<String> handleNext(int limit) {
        List<String> next = lanes.next(limit);
        next.forEach(lanes::remove);
        return next;
    }
}
