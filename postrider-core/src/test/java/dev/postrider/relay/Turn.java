package dev.postrider.relay;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimSize;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.FetchedRow;
import dev.postrider.spi.OwnedShard;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Hands rows to the state of a relay as a turn of its fetch loop does. */
final class Turn {

    static final long TOKEN = 77;
    private static final long EPOCH = 1;
    private static final ClaimSize ROOM = new ClaimSize(100_000, Long.MAX_VALUE);

    private Turn() {}

    /** Lets the relay own one shard, all of whose rows are still to be scanned. */
    static void own(RelayState state, long nanos) {
        List<OwnedShard> shards = List.of(new OwnedShard(0, EPOCH, 0));
        state.gained(shards);
        state.renewed(shards, nanos + Duration.ofHours(1).toNanos());
    }

    static Scan.Part begin(RelayState state) {
        return Objects.requireNonNull(state.begin(ROOM), "no turn");
    }

    /** The rows were read by a main scan that ends at the last of them. */
    static int accept(RelayState state, ClaimedMessage... messages) {
        return accept(state, begin(state), List.of(messages));
    }

    static int accept(RelayState state, List<ClaimedMessage> messages) {
        return accept(state, begin(state), messages);
    }

    static int accept(RelayState state, Scan.Part part, List<ClaimedMessage> messages) {
        long last = messages.stream().mapToLong(ClaimedMessage::seq).max().orElse(0);
        int accepted = state.accept(part, Math.min(last, part.range().upTo()), rows(messages), row -> true);
        state.endFetch();
        return accepted;
    }

    /** The rows were read because their time had come. */
    static int acceptDue(RelayState state, ClaimedMessage... messages) {
        int accepted = state.acceptDue(rows(List.of(messages)), false);
        state.endFetch();
        return accepted;
    }

    static List<FetchedRow> rows(List<ClaimedMessage> messages) {
        return messages.stream().map(claimed -> new FetchedRow(claimed, null)).toList();
    }

    static ClaimedMessage claimed(long seq, OutboxMessage message) {
        return claimed(seq, message, null, 0);
    }

    static ClaimedMessage claimed(long seq, OutboxMessage message, @Nullable String defect, int lostClaims) {
        return new ClaimedMessage(seq, TOKEN, "relay", 0, EPOCH, 1, false, lostClaims, false, defect, message);
    }
}
