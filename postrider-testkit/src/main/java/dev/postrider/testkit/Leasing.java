package dev.postrider.testkit;

import dev.postrider.MessageStatus;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Claims rows for callers that drive their own loop. Guarded by the store's lock. */
final class Leasing {

    private final Rows rows;
    private final ShardOwners ownership;
    private final Journal journal;

    // Far from any token a relay would choose.
    private long lastToken = Long.MIN_VALUE;

    Leasing(Rows rows, ShardOwners ownership, Journal journal) {
        this.rows = rows;
        this.ownership = ownership;
        this.journal = journal;
    }

    List<ClaimedMessage> claim(
            String owner, int limit, Duration claimFor, int maxAttempts, @Nullable String namespace, Instant now) {
        List<ClaimedMessage> claimed = new ArrayList<>();
        Row.Claim claim = new Row.Claim(owner, ++lastToken, now.plus(claimFor));
        for (Row row : rows.all()) {
            if (namespace != null && !namespace.equals(row.topic.namespace())) {
                continue;
            }
            boolean expired = row.status == MessageStatus.CLAIMED && row.isOpen(now);
            if (expired && row.attempts >= maxAttempts) {
                giveUp(row, now);
            } else if (claimed.size() < limit && row.attempts < maxAttempts && (expired || isFree(row, now))) {
                rows.change(row, now, () -> {
                    row.attempts++;
                    row.lostClaims += expired ? 1 : 0;
                    row.status = MessageStatus.CLAIMED;
                    row.claim = claim;
                });
                claimed.add(row.claimed());
            }
        }
        return claimed;
    }

    private boolean isFree(Row row, Instant now) {
        return row.status == MessageStatus.PENDING
                && (row.due == null || !row.due.isAfter(now))
                && journal.of(row, relay -> ownership.isAlive(relay, now)) == null;
    }

    private void giveUp(Row row, Instant now) {
        rows.change(row, now, () -> {
            row.status = MessageStatus.DEAD;
            row.lostClaims++;
            row.error = "The claim of attempt %d expired".formatted(row.attempts);
            row.failure = Failure.of(row.error);
            row.due = null;
            row.died = now;
        });
    }
}
