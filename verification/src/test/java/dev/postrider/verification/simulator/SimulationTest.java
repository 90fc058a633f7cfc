package dev.postrider.verification.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SimulationTest {

    /** A sample for the inner loop: the command ./verification/run runs many more. */
    @Test
    void historiesUnderFaultsKeepEveryInvariant() {
        Tally tally = new Tally();
        for (long seed = 0; seed < 500; seed++) {
            tally.run(seed);
        }

        assertThat(tally.violations()).isEmpty();
        assertThat(tally.mismatches()).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"UNFENCED_SETTLE", "PIPELINED_KEY", "ACK_BEFORE_CONFIRM"})
    void aMutantIsFound(Mutant mutant) {
        assertThat(Hunt.of(mutant).found()).isTrue();
    }

    @Test
    void theSameSeedGivesTheSameHistory() {
        assertThat(Simulation.run(4_514, Mutant.NONE).hash())
                .isEqualTo(Simulation.run(4_514, Mutant.NONE).hash())
                .isNotEqualTo(Simulation.run(4_515, Mutant.NONE).hash());
    }

    /** Seeds that once violated an invariant; the faults behind them are told in docs/simulator.md. */
    @ParameterizedTest
    @ValueSource(
            longs = {
                7, 17, 23, 64, 2_156, 3_065, 4_514, 6_431, 7_732, 9_283, 19_677, 21_451, 22_717, 24_564, 25_004, 29_824
            })
    void whatOnceWentWrongDoesNotGoWrongAgain(long seed) {
        assertThat(Checker.check(Simulation.run(seed, Mutant.NONE))).isEmpty();
    }
}
