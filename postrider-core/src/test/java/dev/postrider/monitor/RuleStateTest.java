package dev.postrider.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.alert.Alert.State;
import java.time.Duration;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("R4.8")
class RuleStateTest {

    private static final AlertRule RULE = AlertCondition.PENDING.rule();
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    // Whatever the number does: FIRING and RESOLVED take turns, unless the time to repeat has passed, and no two
    // FIRING are closer than that; a rule speaks only if the number allows it at that moment.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void aRandomWalkNeverMakesAStorm(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        AlertRule rule = RULE.after(Duration.ofSeconds(random.nextInt(0, 120)))
                .calmFor(Duration.ofSeconds(random.nextInt(0, 120)))
                .repeatEvery(Duration.ofSeconds(random.nextInt(1, 1_800)));
        RuleState state = new RuleState(rule);
        long nanos = Long.MAX_VALUE - random.nextInt(100_000) * SECOND;
        long firedAt = 0;
        double value = 900;
        @Nullable State last = null;
        int spoken = 0;

        for (int i = 0; i < 20_000; i++) {
            nanos += random.nextInt(1, 60) * SECOND;
            value = Math.max(0, Math.min(2_000, value + random.nextDouble(-300, 300)));
            State said = state.step(random.nextInt(20) == 0 ? Double.NaN : value, nanos);
            if (said == null) {
                continue;
            }
            String when = "seed %d, step %d".formatted(seed, i);
            spoken++;
            if (said == State.RESOLVED) {
                assertThat(last).as(when).isEqualTo(State.FIRING);
                assertThat(value).as(when).isLessThanOrEqualTo(rule.resolves());
            } else {
                if (last != null) {
                    assertThat(nanos - firedAt)
                            .as(when)
                            .isGreaterThanOrEqualTo(rule.repeatEvery().toNanos());
                }
                assertThat(value).as(when).isGreaterThan(rule.resolves());
                firedAt = nanos;
            }
            last = said;
        }
        assertThat(spoken).as("seed %d", seed).isGreaterThan(10);
    }

    @Test
    void aNumberThatTremblesBetweenTheLimitsChangesNothing() {
        RuleState state = new RuleState(RULE.after(Duration.ZERO).calmFor(Duration.ZERO));
        assertThat(state.step(1_001, 0)).isEqualTo(State.FIRING);

        for (int i = 1; i < 800; i++) {
            assertThat(state.step(i % 2 == 0 ? 801 : 1_200, i * SECOND)).isNull();
        }

        assertThat(state.step(800, 800 * SECOND)).isEqualTo(State.RESOLVED);
    }

    @Test
    void aRuleThatContradictsItselfIsRefused() {
        assertThatThrownBy(() -> RULE.above(10, 11)).hasMessageContaining("10.0 and 11.0");
        assertThatThrownBy(() -> RULE.above(Double.NaN, 0)).hasMessageContaining("NaN");
        assertThatThrownBy(() -> RULE.after(Duration.ofSeconds(-1))).hasMessageContaining("PT-1S");
        assertThatThrownBy(() -> RULE.calmFor(Duration.ofSeconds(-1))).hasMessageContaining("PT-1S");
        assertThatThrownBy(() -> RULE.repeatEvery(Duration.ZERO)).hasMessageContaining("PT0S");
    }
}
