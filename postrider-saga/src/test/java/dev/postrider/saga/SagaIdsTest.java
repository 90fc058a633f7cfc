package dev.postrider.saga;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Ids are ordered by time, and those of messages can be computed again. */
@Tag("A3")
final class SagaIdsTest {

    private static final Instant NOW = Instant.parse("2026-03-04T05:06:07.089Z");
    private static final UUID SAGA = SagaIds.next(Clock.fixed(NOW, ZoneOffset.UTC));

    @Test
    void everyIdIsAUuidOfVersion7AndTellsItsTime() {
        UUID message = SagaIds.message(SAGA, "a", Direction.FORWARD, 0, NOW);

        assertThat(SagaIds.time(SAGA)).isEqualTo(NOW);
        assertThat(SagaIds.time(message)).isEqualTo(NOW);
        assertThat(SAGA.version()).isEqualTo(message.version()).isEqualTo(7);
        assertThat(SAGA.variant()).isEqualTo(message.variant()).isEqualTo(2);
    }

    @Test
    void theSameStepHasTheSameIdsAndEveryOtherHasOthers() {
        UUID other = SagaIds.next(Clock.fixed(NOW, ZoneOffset.UTC));
        Set<UUID> ids = new HashSet<>();
        for (UUID saga : new UUID[] {SAGA, other}) {
            for (String step : new String[] {"a", "b", "aF", "ab"}) {
                for (Direction direction : Direction.values()) {
                    for (int index = 0; index < 50; index++) {
                        UUID id = SagaIds.message(saga, step, direction, index, NOW);
                        assertThat(id).isEqualTo(SagaIds.message(saga, step, direction, index, NOW));
                        ids.add(id);
                    }
                }
            }
        }

        assertThat(ids).hasSize(2 * 4 * 2 * 50);
    }
}
