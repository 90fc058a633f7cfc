package dev.postrider.benchmarks.contest.arena;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class CompilerTimeTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    @Test
    void theShareIsThatOfTheTimeInBetween() {
        CompilerTime begin = new CompilerTime(3 * SECOND, Duration.ofMillis(700));
        CompilerTime end = new CompilerTime(5 * SECOND, Duration.ofMillis(1_200));

        assertThat(end.since(begin)).isEqualTo(Duration.ofMillis(500));
        assertThat(end.shareSince(begin)).isEqualTo(0.25);
    }

    @Test
    void aMomentThatHasNotPassedHasNoShare() {
        CompilerTime moment = new CompilerTime(SECOND, Duration.ofMillis(700));

        assertThat(moment.shareSince(moment)).isZero();
    }

    @Test
    void theCompilerOfThisProcessHasWorked() {
        assertThat(CompilerTime.now().compiled()).isPositive();
    }
}
