package dev.postrider.verification.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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
    void aMutantIsFoundByTheInvariantItBreaks(Mutant mutant) {
        assertThat(Hunt.of(mutant).violations())
                .extracting(Violation::invariant)
                .contains(mutant.broken());
    }

    /** Were the check switched off, the mutant would survive. */
    @ParameterizedTest
    @EnumSource(names = {"OWNERSHIP_OVERRATED", "ROWS_NOT_FETCHED", "PURGED_AT_ONCE", "DEAD_INSTEAD_OF_RETRY"})
    void aMutantIsFoundByOneCheckAlone(Mutant mutant) {
        Hunt hunt = Hunt.of(mutant);

        assertThat(hunt.violations()).extracting(Violation::invariant).containsOnly(mutant.broken());
        for (long seed = 0; seed < 200; seed++) {
            assertThat(Checker.check(Simulation.run(seed, mutant)))
                    .extracting(Violation::invariant)
                    .allMatch(invariant -> invariant == mutant.broken());
        }
    }

    @Test
    void theSameSeedGivesTheSameHistory() {
        assertThat(Simulation.run(4_514, Mutant.NONE).hash())
                .isEqualTo(Simulation.run(4_514, Mutant.NONE).hash())
                .isNotEqualTo(Simulation.run(4_515, Mutant.NONE).hash());
    }
}
