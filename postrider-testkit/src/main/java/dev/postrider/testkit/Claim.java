package dev.postrider.testkit;

import java.time.Duration;
import java.time.Instant;

/**
 * The last claim on a row.
 *
 * @param epoch of the shard when it was claimed; {@link #UNSHARDED} if no shard was involved
 * @param trial whether the message was the only one in flight
 */
record Claim(String owner, long token, long epoch, Instant until, boolean trial) {

    static final long UNSHARDED = -1;

    boolean isUnsharded() {
        return epoch == UNSHARDED;
    }

    /** Unsharded claims know no epoch and are lost by time alone. */
    boolean isLost(long shardEpoch, Instant now) {
        return isOver(now) || (!isUnsharded() && epoch < shardEpoch);
    }

    boolean isOver(Instant now) {
        return !until.isAfter(now);
    }

    Claim extended(Instant now, Duration claimFor) {
        return new Claim(owner, token, epoch, now.plus(claimFor), trial);
    }

    Claim onTrial() {
        return new Claim(owner, token, epoch, until, true);
    }
}
