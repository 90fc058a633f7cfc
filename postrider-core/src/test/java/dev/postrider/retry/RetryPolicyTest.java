package dev.postrider.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.postrider.relay.Preset;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RetryPolicyTest {

    private final SplittableRandom random = new SplittableRandom(42);

    @Test
    @Tag("R1.13")
    void jitterStaysBetweenHalfTheDelayAndTheDelay() {
        RetryPolicy policy = RetryPolicy.exponentialWithJitter(Duration.ofSeconds(1), Duration.ofSeconds(300), 20);
        for (int attempt = 1; attempt <= 70; attempt++) {
            long full = attempt > 9 ? 300_000 : Math.min(300_000, 1_000L << (attempt - 1));
            for (int i = 0; i < 200; i++) {
                assertThat(policy.delayAfter(attempt, random).toMillis()).isBetween(full / 2, full);
            }
        }
    }

    @Test
    @Tag("R1.13")
    void jitterReachesBothHalvesOfItsRange() {
        RetryPolicy policy = RetryPolicy.exponentialWithJitter(Duration.ofMillis(100), Duration.ofSeconds(1), 5);

        List<Long> delays = IntStream.range(0, 500)
                .mapToObj(i -> policy.delayAfter(1, random).toMillis())
                .toList();

        assertThat(delays).anyMatch(delay -> delay < 60).anyMatch(delay -> delay > 90);
    }

    @Test
    @Tag("R2.5")
    void aScheduleEndsInItsLastDelayForEver() {
        RetryPolicy policy = Preset.DOMAIN_EVENTS.retry();

        assertThat(IntStream.of(1, 2, 3, 4, 5, 6, 7, 8, 1_000)
                        .mapToObj(attempt -> policy.delayAfter(attempt, random).toSeconds()))
                .containsExactly(1L, 2L, 5L, 15L, 60L, 300L, 900L, 900L, 900L);
        assertThat(policy.maxAttempts()).isEqualTo(RetryPolicy.FOREVER);
    }

    @Test
    @Tag("R3.4")
    void ordersToKafkaAreTriedFiveTimesWithDoublingDelays() {
        RetryPolicy policy = Preset.KAFKA_ORDERS.retry();

        assertThat(IntStream.rangeClosed(1, 5)
                        .mapToObj(attempt -> policy.delayAfter(attempt, random).toMillis()))
                .containsExactly(100L, 200L, 400L, 800L, 1600L);
        assertThat(policy.maxAttempts()).isEqualTo(5);
    }

    @Test
    @Tag("R4.5")
    void moneyIsRetriedThreeTimesFromThirtySeconds() {
        RetryPolicy policy = Preset.SAFETY_NET.retry();

        assertThat(IntStream.rangeClosed(1, 4)
                        .mapToObj(attempt -> policy.delayAfter(attempt, random).toSeconds()))
                .containsExactly(30L, 60L, 120L, 240L);
        assertThat(policy.maxAttempts()).isEqualTo(4);
    }

    @Test
    @Tag("R1.13")
    void defaultPolicyWaitsUpToFiveMinutesAndGivesUpAfterTwentyAttempts() {
        RetryPolicy policy = RetryPolicy.defaults();

        assertThat(policy.delayAfter(1, random)).isBetween(Duration.ofMillis(500), Duration.ofSeconds(1));
        assertThat(policy.delayAfter(20, random)).isBetween(Duration.ofSeconds(150), Duration.ofMinutes(5));
        assertThat(policy.maxAttempts()).isEqualTo(20);
    }

    @Test
    void delayIsDoubledAsLongAsItFitsTheLongest() {
        RetryPolicy policy = RetryPolicy.exponential(Duration.ofNanos(1), Duration.ofNanos(3), 1);

        assertThat(IntStream.of(1, 2, 3, 100)
                        .mapToObj(attempt -> policy.delayAfter(attempt, random).toNanos()))
                .containsExactly(1L, 2L, 3L, 3L);
        assertThat(policy.maxAttempts()).isEqualTo(1);
    }

    @Test
    void jitterReachesTheEndsOfItsRange() {
        RetryPolicy policy = RetryPolicy.exponentialWithJitter(Duration.ofNanos(2), Duration.ofNanos(2), 5);

        assertThat(IntStream.range(0, 200)
                        .mapToObj(i -> policy.delayAfter(1, random).toNanos())
                        .distinct())
                .containsExactlyInAnyOrder(1L, 2L);
    }

    @Test
    void scheduleMayBeginAtOnceButNotEarlier() {
        RetryPolicy policy = RetryPolicy.schedule(List.of(Duration.ZERO, Duration.ofSeconds(3)));

        assertThat(IntStream.rangeClosed(1, 3).mapToObj(attempt -> policy.delayAfter(attempt, random)))
                .containsExactly(Duration.ZERO, Duration.ofSeconds(3), Duration.ofSeconds(3));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RetryPolicy.schedule(List.of(Duration.ofNanos(-1))))
                .withMessageContaining("PT-0.000000001S");
    }

    @Test
    void badDelaysAreRefusedByName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RetryPolicy.exponential(Duration.ZERO, Duration.ofSeconds(1), 3))
                .withMessageContaining("PT0S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RetryPolicy.exponential(Duration.ofSeconds(2), Duration.ofSeconds(1), 3))
                .withMessageContaining("max PT1S is shorter than first PT2S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RetryPolicy.exponential(Duration.ofSeconds(1), Duration.ofSeconds(1), 0))
                .withMessageContaining("maxAttempts");
        assertThatIllegalArgumentException().isThrownBy(() -> RetryPolicy.schedule(List.of()));
    }

    @Test
    void anUnknownPresetNamesTheOnesThereAre() {
        assertThat(Preset.named("kafka-orders")).isEqualTo(Preset.KAFKA_ORDERS);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Preset.named("kafka"))
                .withMessageContaining("'kafka'")
                .withMessageContaining("saga, lease, domain-events, kafka-orders, safety-net");
    }

    @Test
    @Tag("R4.3")
    void thePresetsHaveTheValuesOfTheirDocuments() {
        assertThat(Preset.SAFETY_NET.pollInterval()).isEqualTo(Duration.ofSeconds(10));
        assertThat(Preset.SAFETY_NET.claimFor()).isEqualTo(Duration.ofMinutes(5));
        assertThat(Preset.SAFETY_NET.batchSize()).isEqualTo(100);
        assertThat(Preset.KAFKA_ORDERS.batchSize()).isEqualTo(10);
        assertThat(Preset.KAFKA_ORDERS.pollInterval()).isEqualTo(Duration.ofSeconds(5));
        assertThat(Preset.DOMAIN_EVENTS.pollInterval()).isEqualTo(Duration.ofSeconds(5));
        assertThat(Preset.DOMAIN_EVENTS.batchSize()).isEqualTo(100);
    }
}
