package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimSize;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.FetchedRow;
import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.Settlement;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("B1")
@Tag("R4.4")
class TrialOrderTest {

    private static final OwnedShard SHARD = new OwnedShard(0, 1, 0);

    private final RelayState state = new RelayState(new RelayConfig(UnusedStore.relay()));

    @Test
    void aMessageWaitsWhileATrialOfItsKeyEndsWithoutAnOutcome() {
        state.gained(List.of(SHARD));
        state.renewed(List.of(SHARD), Long.MAX_VALUE / 2);
        FetchedRow suspect = row(1, 2);
        FetchedRow next = row(2, 0);
        accept(suspect, next);
        ClaimedMessage tried = state.takeReady().get(0);
        state.giveBack(tried);

        accept(next);
        List<Settlement> ended = state.takeOutcomes(10);
        state.settled(ended);
        accept(suspect, next);

        assertThat(ended).extracting(Settlement::outcome).containsExactly(Settlement.Outcome.RELEASED);
        assertThat(state.takeReady()).extracting(ClaimedMessage::seq).containsExactly(1L);
    }

    private void accept(FetchedRow... rows) {
        Scan.Part part = Objects.requireNonNull(state.begin(new ClaimSize(10, 1_000)));
        state.accept(part, 2, List.of(rows), row -> true);
    }

    private static FetchedRow row(long seq, int lostClaims) {
        OutboxMessage message =
                OutboxMessage.to("orders", "placed").key("a").payload("{}").build();
        return new FetchedRow(
                new ClaimedMessage(seq, 7, "relay", 0, 1, 1, false, lostClaims, false, null, message), null);
    }
}
