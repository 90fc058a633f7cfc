package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OutboxMessage;
import dev.postrider.relay.UnsettledOutcomes.Apart;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Settlement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class UnsettledOutcomesTest {

    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final ClaimedMessage CLAIMED =
            Turn.claimed(1, OutboxMessage.to("orders", "placed").build());
    private static final Settlement DELIVERED = Settlement.delivered(CLAIMED);
    private static final Settlement DEAD = Settlement.dead(CLAIMED, "no", true);

    private long nanos;
    private final UnsettledOutcomes outcomes = new UnsettledOutcomes(config());

    @Test
    void lockedOutcomesAreDueWhenTheirTimeHasCome() {
        long wait = new Backoff(FIRST, LONGEST, new SplittableRandom(1)).failed();
        outcomes.locked(List.of(DELIVERED));

        nanos = wait - 1;
        assertThat(outcomes.takeLockedDue()).isEmpty();
        nanos = wait;

        assertThat(outcomes.takeLockedDue()).containsExactly(DELIVERED);
        assertThat(outcomes.hasLockedDue()).isFalse();
    }

    @Test
    void waitIsShortAgainAfterLockedOutcomesWereWritten() {
        for (int i = 0; i < 10; i++) {
            outcomes.locked(List.of(DELIVERED));
            pass(LONGEST);
            assertThat(outcomes.takeLockedDue()).hasSize(1);
        }
        outcomes.locked(List.of(DELIVERED));
        outcomes.lockedWritten();
        pass(FIRST);
        assertThat(outcomes.takeLockedDue()).as("one was locked again").isEmpty();
        pass(LONGEST);
        assertThat(outcomes.takeLockedDue()).hasSize(1);

        outcomes.lockedWritten();

        outcomes.locked(List.of(DELIVERED));
        pass(FIRST);
        assertThat(outcomes.takeLockedDue()).hasSize(1);
    }

    @Test
    void deadMessagesAmongLockedOutcomesThatFailAreWrittenApartAndLater() {
        assertThat(outcomes.lockedFailed(List.of(DELIVERED, DEAD))).containsExactly(DEAD);

        assertThat(outcomes.due()).as("it was just refused").isNull();
        pass(LONGEST);
        Apart due = Objects.requireNonNull(outcomes.due());
        assertThat(due.dead).isEqualTo(DEAD);
        assertThat(outcomes.refused(due)).as("for the first time").isFalse();
        assertThat(outcomes.takeLockedDue()).containsExactly(DELIVERED);
    }

    private void pass(Duration time) {
        nanos += time.toNanos();
    }

    private RelayConfig config() {
        RelayBuilder builder = UnusedStore.relay();
        builder.nanoTime = () -> nanos;
        builder.random = new SplittableRandom(1);
        return new RelayConfig(builder);
    }
}
