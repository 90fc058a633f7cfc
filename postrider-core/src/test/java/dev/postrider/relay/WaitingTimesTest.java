package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** When a relay looks for messages that are due. */
@Tag("B7")
class WaitingTimesTest {

    private static final long MILLI = Duration.ofMillis(1).toNanos();

    private final WaitingTimes times = new WaitingTimes(0);

    @Test
    void aLookThatFoundSomethingIsFollowedByAnother() {
        assertThat(times.isDue(0)).isTrue();

        times.looked(MILLI, true, false);

        assertThat(times.isDue(MILLI)).isTrue();
    }

    @Test
    void aLookThatFoundNothingIsFollowedByAPause() {
        assertThat(times.isDue(0)).isTrue();

        times.looked(MILLI, false, false);

        assertThat(times.isDue(99 * MILLI)).isFalse();
        assertThat(times.isDue(100 * MILLI)).isTrue();
    }

    @Test
    void looksThatTakeLongLeaveTimeForOtherWork() {
        assertThat(times.isDue(0)).isTrue();

        times.looked(200 * MILLI, true, false);

        assertThat(times.isDue(1_999 * MILLI)).isFalse();
        assertThat(times.isDue(2_000 * MILLI)).isTrue();
    }

    @Test
    void thePauseIsBounded() {
        assertThat(times.isDue(0)).isTrue();

        times.looked(60_000 * MILLI, false, false);

        assertThat(times.isDue(61_999 * MILLI)).isFalse();
        assertThat(times.isDue(62_000 * MILLI)).isTrue();
    }

    @Test
    void aRetryThatIsDueIsNotHeldUpByAPause() {
        assertThat(times.isDue(0)).isTrue();
        times.looked(60_000 * MILLI, false, false);
        times.remember(60_500 * MILLI);

        assertThat(times.isDue(60_499 * MILLI)).isFalse();
        assertThat(times.isDue(60_500 * MILLI)).isTrue();
    }

    @Test
    void aLookThatIsNotAtItsEndGoesOnAtOnce() {
        assertThat(times.isDue(0)).isTrue();

        times.looked(200 * MILLI, false, true);

        assertThat(times.isDue(200 * MILLI)).isTrue();
    }

    @Test
    void thePauseAfterALookInPartsIsMeasuredByAllOfThem() {
        assertThat(times.isDue(0)).isTrue();
        times.looked(60 * MILLI, true, true);
        assertThat(times.isDue(60 * MILLI)).isTrue();

        times.looked(120 * MILLI, true, false);

        assertThat(times.isDue(1_199 * MILLI)).isFalse();
        assertThat(times.isDue(1_200 * MILLI)).isTrue();
    }

    @Test
    void lookThatTakesExactlyAsLongAsThePauseIsALongOne() {
        WaitingTimes later = new WaitingTimes(5_000 * MILLI);
        assertThat(later.isDue(5_000 * MILLI)).isTrue();

        later.looked(5_100 * MILLI, true, false);

        assertThat(later.isDue(5_999 * MILLI)).isFalse();
        assertThat(later.isDue(6_000 * MILLI)).isTrue();
    }

    @Test
    void shortLookLateInTheLifeOfARelayIsFollowedByAnotherIfItFoundSomething() {
        WaitingTimes later = new WaitingTimes(5_000 * MILLI);
        assertThat(later.isDue(5_000 * MILLI)).isTrue();

        later.looked(5_001 * MILLI, true, false);

        assertThat(later.isDue(5_001 * MILLI)).isTrue();
    }

    @Test
    void lookForgetsTheRetriesThatAreDueAndNoOthers() {
        times.remember(50 * MILLI);
        times.remember(100 * MILLI);
        times.remember(700 * MILLI);
        assertThat(times.nanosToNextRetry(20 * MILLI)).isEqualTo(30 * MILLI);

        assertThat(times.isDue(100 * MILLI)).isTrue();

        assertThat(times.nanosToNextRetry(100 * MILLI)).isEqualTo(600 * MILLI);
        assertThat(times.nanosToNextRetry(800 * MILLI)).as("overdue").isZero();
    }

    @Test
    void tenThousandRetriesAreRemembered() {
        for (int i = 1; i < 10_000; i++) {
            times.remember(1_000 * MILLI);
        }
        times.remember(10 * MILLI);
        assertThat(times.nanosToNextRetry(0)).isEqualTo(10 * MILLI);

        times.remember(MILLI);

        assertThat(times.nanosToNextRetry(0)).isEqualTo(10 * MILLI);
    }
}
