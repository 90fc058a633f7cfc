package dev.postrider.spi;

import dev.postrider.OutboxMessage;
import org.jspecify.annotations.Nullable;

/**
 * A message a relay may publish until its claim ends, unless it has a defect.
 *
 * @param seq the row's place in the enqueue order
 * @param token proves the claim when the outcome is settled
 * @param claimedBy the relay, or whoever else made the claim
 * @param shard the shard of the row
 * @param attempt 1 for the first delivery attempt
 * @param held whether later messages of the key wait for this one's outcome in the store
 * @param lostClaims how many claims on this row ended without an outcome, most likely because the process died
 * @param onTrial whether the last lost claim was a trial, in which this message was the only one in flight
 * @param defect why the row must not be published, free of payload; null if it is sound
 * @param message what to publish; with a defect, what can be read of the row
 */
public record ClaimedMessage(
        long seq,
        long token,
        String claimedBy,
        int shard,
        int attempt,
        boolean held,
        int lostClaims,
        boolean onTrial,
        @Nullable String defect,
        OutboxMessage message) {}
