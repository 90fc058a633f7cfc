package dev.postrider.relay;

import dev.postrider.spi.ClaimRequest;
import dev.postrider.spi.ClaimedBatch;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.SeqRange;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A claim under way; if its outcome is unknown, it is repeated as it was until the store answers. */
record Claim(ClaimRequest request, SeqRange range, Kind kind, List<Long> seen) {

    enum Kind {
        /** Above the head, in what was seen there. */
        HEAD,
        /** Above the head, in a range nobody has looked at. */
        UNSEEN,
        /** Where rows have appeared. */
        GAP,
        /** Where transactions that have ended may have left rows. */
        LATE,
        /** Where rows may have appeared. */
        SWEEP,
        /** Above what a repeated claim reached. */
        REST
    }

    /** Returns the same claim in those of its shards that are left, or null if none is. */
    @Nullable Claim within(Set<Integer> owned) {
        Set<Integer> left = new HashSet<>(request.shards());
        left.retainAll(owned);
        return left.isEmpty() ? null : new Claim(request.in(left), range, kind, seen);
    }

    /** Returns the same claim after rows were seen. */
    Claim having(List<Long> rows) {
        return new Claim(request, range, kind, rows);
    }

    /** Returns the same claim above what it has handed out, if it was cut short. */
    Optional<Claim> restAfter(ClaimedBatch batch) {
        long reached = batch.messages().stream().mapToLong(ClaimedMessage::seq).reduce(batch.scannedTo(), Math::max);
        return batch.full() && reached > range.after() && reached < range.upTo()
                ? Optional.of(new Claim(request, new SeqRange(reached, range.upTo()), Kind.REST, List.of()))
                : Optional.empty();
    }
}
