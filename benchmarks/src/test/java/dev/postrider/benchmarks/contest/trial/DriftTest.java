package dev.postrider.benchmarks.contest.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class DriftTest {

    @Test
    void whatHappensInTheFirstHalfDoesNotMatter() {
        assertThat(Drift.of(new double[] {900, 50, 700, 1, 5, 5, 5, 5})).isEqualTo(1);
    }

    @Test
    void growthIsTheLastQuarterByTheThird() {
        assertThat(Drift.of(new double[] {1, 1, 1, 1, 4, 6, 9, 11})).isEqualTo(2);
    }

    @Test
    void oneSpikeInAQuarterIsNotADrift() {
        assertThat(Drift.of(new double[] {1, 1, 1, 1, 1, 1, 3, 3, 3, 3, 99, 3})).isEqualTo(1);
    }

    @Test
    void windowsThatDoNotDivideByFourAreAllLookedAt() {
        assertThat(Drift.of(new double[] {0, 0, 0, 2, 2, 6, 6})).isEqualTo(3);
    }

    @Test
    void fewerThanFourWindowsHaveNoQuarters() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Drift.of(new double[] {1, 2, 3}))
                .withMessageContaining("3 windows");
    }
}
