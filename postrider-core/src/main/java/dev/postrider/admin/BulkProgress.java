package dev.postrider.admin;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How far a bulk action is. A message that somebody else dealt with before its turn came is in none of the three
 * counts, so they may add up to less than expected.
 *
 * @param plan what it does
 * @param status where it stands
 * @param done messages it was done to
 * @param skipped messages that were found, but changed or locked by somebody else
 * @param failed messages the database refused to change
 * @param startedAt when it was run first; null before
 * @param updatedAt when anything changed last
 * @param lastError why the last message failed; null if none did
 */
public record BulkProgress(
        BulkPlan plan,
        BulkStatus status,
        long done,
        long skipped,
        long failed,
        @Nullable Instant startedAt,
        Instant updatedAt,
        @Nullable String lastError) {

    /** Returns the id of the bulk action. */
    public UUID id() {
        return plan.id();
    }

    /** Returns how many messages matched when it was prepared. */
    public long expected() {
        return plan.expected();
    }
}
