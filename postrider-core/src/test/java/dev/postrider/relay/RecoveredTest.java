package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Settlement;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R4.4")
class RecoveredTest {

    private final Recovered recovered = new Recovered();

    @Test
    void onlyMessagesWithLostClaimsCount() {
        assertThat(recovered.among(List.of(claimed(1, 0), claimed(2, 1), claimed(3, 2))))
                .isEqualTo(2);
        assertThat(recovered.among(List.of())).isZero();
    }

    @Test
    void aMessageThatWasGivenBackIsNotCountedAgainUntilItIsLostAgain() {
        recovered.among(List.of(claimed(1, 1), claimed(2, 1)));
        recovered.settled(Settlement.released(claimed(1, 1)));
        recovered.settled(Settlement.behind(claimed(2, 1)));

        assertThat(recovered.among(List.of(claimed(1, 1), claimed(2, 1)))).isZero();
        assertThat(recovered.among(List.of(claimed(1, 2)))).isEqualTo(1);
    }

    @Test
    void afterAnOutcomeTheCountBeginsAnew() {
        recovered.among(List.of(claimed(1, 1)));
        recovered.settled(Settlement.retry(claimed(1, 1), Duration.ZERO, "busy", false));

        assertThat(recovered.among(List.of(claimed(1, 1)))).isEqualTo(1);
    }

    @Test
    void itForgetsTheOldestRatherThanGrowForEver() {
        recovered.among(LongStream.rangeClosed(1, 10_001)
                .mapToObj(seq -> claimed(seq, 1))
                .toList());

        assertThat(recovered.among(List.of(claimed(10_001, 1)))).isZero();
        assertThat(recovered.among(List.of(claimed(1, 1)))).isEqualTo(1);
    }

    private static ClaimedMessage claimed(long seq, int lostClaims) {
        OutboxMessage message = OutboxMessage.to("orders", "placed").build();
        return new ClaimedMessage(seq, 77, "relay", 0, 1, false, lostClaims, false, null, message);
    }
}
