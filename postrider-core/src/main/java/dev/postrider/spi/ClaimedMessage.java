package dev.postrider.spi;

import dev.postrider.OutboxMessage;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A message in flight: fetched by a relay, or claimed by a caller that drives its own loop.
 *
 * @param seq the row's place in the enqueue order
 * @param token names the entry of the in-flight journal, or the claim of a caller that drives its own loop
 * @param claimedBy the relay, or the owner of the claim
 * @param shard the shard of the row
 * @param epoch the epoch under which the relay owns the shard, which fences its settlement; {@link #NO_EPOCH} for a
 *     caller that drives its own loop, whose settlement is fenced by the token
 * @param attempt 1 for the first delivery attempt
 * @param held whether later messages of the key wait for this one's outcome in the store
 * @param lostClaims how often the process died while this message was in flight
 * @param onTrial whether a trial was begun in which this message was the only one in flight, and did not end
 * @param defect why the row must not be published, free of payload; null if it is sound
 * @param dueAt when the row was due as the fetch saw it, or null; a person who requeues or replays the message changes
 *     it, and no outcome of the earlier attempt is written
 * @param message what to publish; with a defect, what can be read of the row
 */
public record ClaimedMessage(
        long seq,
        long token,
        String claimedBy,
        int shard,
        long epoch,
        int attempt,
        boolean held,
        int lostClaims,
        boolean onTrial,
        @Nullable String defect,
        @Nullable Instant dueAt,
        OutboxMessage message) {

    /** The epoch of a claim that does not depend on a shard. */
    public static final long NO_EPOCH = -1;

    /** Makes a claim that does not depend on a shard. */
    public ClaimedMessage(
            long seq,
            long token,
            String claimedBy,
            int shard,
            int attempt,
            boolean held,
            int lostClaims,
            boolean onTrial,
            @Nullable String defect,
            OutboxMessage message) {
        this(seq, token, claimedBy, shard, NO_EPOCH, attempt, held, lostClaims, onTrial, defect, null, message);
    }

    /** Makes a message whose row has no due time. */
    public ClaimedMessage(
            long seq,
            long token,
            String claimedBy,
            int shard,
            long epoch,
            int attempt,
            boolean held,
            int lostClaims,
            boolean onTrial,
            @Nullable String defect,
            OutboxMessage message) {
        this(seq, token, claimedBy, shard, epoch, attempt, held, lostClaims, onTrial, defect, null, message);
    }
}
