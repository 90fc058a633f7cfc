package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

final class VirtualClockTest {

    private final VirtualClock clock = new VirtualClock(Instant.EPOCH);

    @Test
    void timeStandsStillUntilItIsAdvanced() {
        assertThat(clock.instant()).isEqualTo(Instant.EPOCH);

        clock.advance(Duration.ofSeconds(90));

        assertThat(clock.instant()).isEqualTo(Instant.ofEpochSecond(90));
        assertThat(clock.nanoTime()).isEqualTo(90_000_000_000L);
    }

    @Test
    void aClockInAnotherZoneAdvancesTogether() {
        Clock berlin = clock.withZone(ZoneId.of("Europe/Berlin"));

        clock.advance(Duration.ofMinutes(1));

        assertThat(berlin.instant()).isEqualTo(clock.instant());
        assertThat(berlin.getZone()).isEqualTo(ZoneId.of("Europe/Berlin"));
    }

    @Test
    void timeDoesNotRunBackwards() {
        assertThatThrownBy(() -> clock.advance(Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT-1S");
    }
}
