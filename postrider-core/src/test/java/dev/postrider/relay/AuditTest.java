package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Shards;
import java.time.Duration;
import java.util.BitSet;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** In which steps a relay reads the table below its scan. */
@Tag("B1")
class AuditTest {

    private static final long MILLI = Duration.ofMillis(1).toNanos();
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final Audit audit = new Audit();

    @ParameterizedTest
    @ValueSource(longs = {0, -86_400_000_000_000L, Long.MAX_VALUE - 1_000_000_000L})
    void neverTwoStepsWithinAFifthOfASecond(long start) {
        long last = start - SECOND;
        int steps = 0;
        for (long now = start; now - start < 10 * SECOND; now += MILLI) {
            if (step(now, Shards.COUNT, 1_000_000).isPresent()) {
                assertThat(now - last).isGreaterThanOrEqualTo(200 * MILLI);
                last = now;
                steps++;
            }
        }

        assertThat(steps).isEqualTo(50);
    }

    @Test
    void theTimeUntilTheNextStepCountsFromTheEndOfTheLast() {
        SeqRange first = audit.step(0, Shards.COUNT, 1_000_000).orElseThrow();
        audit.stepped(first.upTo(), 10 * SECOND);

        assertThat(audit.step(10 * SECOND + 199 * MILLI, Shards.COUNT, 1_000_000))
                .isEmpty();
        assertThat(audit.step(10 * SECOND + 200 * MILLI, Shards.COUNT, 1_000_000))
                .isPresent();
    }

    @Test
    void aLapCoversEveryRowBelowTheScan() {
        BitSet seen = new BitSet();
        for (long now = 0; now < 60 * SECOND; now += SECOND) {
            step(now, Shards.COUNT, 35_000)
                    .ifPresent(range -> seen.set((int) range.after() + 1, (int) range.upTo() + 1));
        }

        assertThat(seen.cardinality()).isEqualTo(35_000);
    }

    @ParameterizedTest
    @CsvSource({"64,160000", "32,80000", "16,40000", "1,40000"})
    void aBusyRelayWalksAsFarAsItsShareInShortSteps(int shards, long rows) {
        step(0, shards, 1_000_000);
        long walked = 0;
        for (long now = MILLI; now <= 16 * SECOND; now += MILLI) {
            SeqRange range = step(now, shards, 1_000_000).orElse(null);
            if (range != null) {
                assertThat(range.upTo() - range.after()).isLessThanOrEqualTo(2_000);
                walked += range.upTo() - range.after();
            }
        }

        assertThat(walked).isEqualTo(rows);
    }

    @Test
    void aStepIsBoundedHoweverLongTheRelayWasAway() {
        step(0, Shards.COUNT, 1_000_000);

        SeqRange range = step(3_600 * SECOND, Shards.COUNT, 1_000_000).orElseThrow();

        assertThat(range.upTo() - range.after()).isEqualTo(10_000);
    }

    @Test
    void aStepThatFailedIsRepeated() {
        SeqRange failed = audit.step(0, Shards.COUNT, 1_000).orElseThrow();

        assertThat(audit.step(SECOND, Shards.COUNT, 1_000)).contains(failed);
    }

    @Test
    void aStepThatWasReadInPartGoesOnThere() {
        audit.step(0, Shards.COUNT, 1_000);
        audit.stepped(17, 0);

        assertThat(audit.step(SECOND, Shards.COUNT, 1_000)).contains(new SeqRange(17, 1_000));
    }

    @Test
    void noStepGoesAboveAScanThatWentBack() {
        step(0, Shards.COUNT, 30_000);

        for (long now = SECOND; now < 30 * SECOND; now += SECOND) {
            step(now, Shards.COUNT, 7)
                    .ifPresent(range -> assertThat(range.upTo()).isLessThanOrEqualTo(7));
        }
        SeqRange next = step(Audit.PAUSE + 60 * SECOND, Shards.COUNT, 30_000).orElseThrow();

        assertThat(next.after()).as("the next lap").isZero();
    }

    @Test
    void lapsStartOverWhateverTheHeadDoes() {
        long head = 100_000;
        int laps = 0;
        for (long now = 0; now < 24 * 3_600 * SECOND; now += SECOND) {
            head += 20_000;
            Optional<SeqRange> step = step(now, Shards.COUNT, head);
            laps += step.isPresent() && step.get().after() == 0 ? 1 : 0;
        }

        // The head is twice as fast as the audit, so each lap takes at least three times as long as the one before.
        assertThat(laps).isGreaterThanOrEqualTo(5);
    }

    @Test
    void anIdleRelayPausesBetweenLaps() {
        step(0, Shards.COUNT, 100);

        assertThat(step(Audit.PAUSE - 1, Shards.COUNT, 200)).isEmpty();
        assertThat(step(Audit.PAUSE, Shards.COUNT, 200)).contains(new SeqRange(0, 200));
    }

    @Test
    void thePauseIsShortForAnHourAfterAHoleWasGivenUp() {
        step(0, Shards.COUNT, 100);
        audit.expectLateRows(0);

        assertThat(step(Audit.SHORT_PAUSE - 1, Shards.COUNT, 100)).isEmpty();
        assertThat(step(Audit.SHORT_PAUSE, Shards.COUNT, 100)).isPresent();
        long late = 3_600 * SECOND - Audit.SHORT_PAUSE;
        assertThat(step(late, Shards.COUNT, 100)).isPresent();
        assertThat(step(3_600 * SECOND, Shards.COUNT, 100))
                .as("the hour is over")
                .isEmpty();
        assertThat(step(late + Audit.PAUSE - 1, Shards.COUNT, 100)).isEmpty();
        assertThat(step(late + Audit.PAUSE, Shards.COUNT, 100)).isPresent();
    }

    @Test
    void everyPauseWithinThatHourIsShort() {
        step(0, Shards.COUNT, 100);
        audit.expectLateRows(0);

        for (int lap = 1; lap < 10; lap++) {
            assertThat(step(lap * Audit.SHORT_PAUSE, Shards.COUNT, 100)).isPresent();
        }
    }

    @Test
    void anEmptyTableIsNotAudited() {
        assertThat(step(0, Shards.COUNT, 0)).isEmpty();

        assertThat(step(SECOND, Shards.COUNT, 50))
                .as("no pause after a lap without rows")
                .isPresent();
    }

    // A step and its answer.
    private Optional<SeqRange> step(long nanos, int shards, long lowest) {
        Optional<SeqRange> step = audit.step(nanos, shards, lowest);
        step.ifPresent(range -> audit.stepped(range.upTo(), nanos));
        return step;
    }
}
