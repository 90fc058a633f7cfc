package dev.postrider.jdbc;

import dev.postrider.spi.ClaimRequest;
import dev.postrider.spi.ClaimedBatch;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Outlook;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Sighting;
import dev.postrider.spi.Writer;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The claiming half of the store, which every database does in its own way. */
interface Claims {

    Outlook look(long after, int limit, List<SeqRange> gaps);

    /** Returns empty if this database cannot list the transactions that may still add rows. */
    default Optional<Set<Writer>> writers() {
        return Optional.empty();
    }

    ClaimedBatch claim(ClaimRequest request, SeqRange range);

    /** Returns empty if this database looks before it claims. */
    default Optional<Sighting> lookAndClaim(ClaimRequest request, SeqRange range) {
        return Optional.empty();
    }

    List<ClaimedMessage> claimWaiting(ClaimRequest request);

    List<ClaimedMessage> claimUnsharded(UnshardedRequest request);
}
