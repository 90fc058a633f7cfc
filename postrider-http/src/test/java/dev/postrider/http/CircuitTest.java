package dev.postrider.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.spi.PublishResult;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CircuitTest {

    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofSeconds(3);

    private long now;
    private Circuit circuit;

    @BeforeEach
    void start() {
        now = Long.MAX_VALUE - FIRST.toNanos() / 2;
        RandomGenerator longest = new RandomGenerator() {
            @Override
            public long nextLong() {
                return 0;
            }

            @Override
            public long nextLong(long origin, long bound) {
                return bound - 1;
            }
        };
        circuit = new Circuit("https://example.com", new Circuit.Pause(2, FIRST, LONGEST), () -> now, longest);
    }

    @Test
    void itOpensAfterFailuresInARowOnly() {
        circuit.trouble("one");
        circuit.well();
        circuit.trouble("two");
        boolean before = circuit.refusal().isPresent();

        circuit.trouble("three");

        assertThat(before).isFalse();
        assertThat(circuit.refusal()).get().satisfies(refusal -> {
            assertThat(refusal.kind()).isEqualTo(PublishResult.Kind.UNAVAILABLE);
            assertThat(refusal.error()).contains("three");
            assertThat(refusal.retryAfter()).isEqualTo(FIRST);
        });
    }

    @Test
    void itLetsOneProbeThroughAfterThePause() {
        open();
        now += FIRST.toNanos();

        assertThat(circuit.enter()).isEmpty();
        assertThat(circuit.enter()).isPresent();
        assertThat(circuit.refusal()).isPresent();
    }

    @Test
    void thePauseGrowsUpToItsLimitAndIsForgottenAfterAnAnswer() {
        open();
        assertThat(pause()).isEqualTo(FIRST);

        failProbe();
        assertThat(pause()).isEqualTo(FIRST.multipliedBy(2));

        failProbe();
        assertThat(pause()).isEqualTo(LONGEST);

        circuit.well();
        assertThat(circuit.enter()).isEmpty();

        open();
        assertThat(pause()).isEqualTo(FIRST);
    }

    @Test
    void stragglersDoNotMakeThePauseLonger() {
        open();

        circuit.trouble("straggler");
        circuit.trouble("straggler");

        assertThat(pause()).isEqualTo(FIRST);
    }

    private void open() {
        circuit.trouble("one");
        circuit.trouble("two");
    }

    private void failProbe() {
        now += pause().toNanos();
        assertThat(circuit.enter()).isEmpty();
        circuit.trouble("probe");
    }

    private Duration pause() {
        return circuit.refusal().orElseThrow().retryAfter();
    }
}
