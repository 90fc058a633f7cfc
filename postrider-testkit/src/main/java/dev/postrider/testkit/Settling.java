package dev.postrider.testkit;

import dev.postrider.MessageStatus;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Unblocked;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes outcomes back. The token is the fence: a lost claim changes no row. Guarded by the store's lock. */
final class Settling {

    private static final int UNBLOCKED_AT_ONCE = 1_000;

    private final Rows rows;
    private final History history;

    Settling(Rows rows, History history) {
        this.rows = rows;
        this.history = history;
    }

    int settle(List<Settlement> outcomes, Instant now) {
        int written = 0;
        Set<KeyName> freed = new LinkedHashSet<>();
        for (Settlement outcome : outcomes) {
            history.add(outcome, now);
            Row row = held(outcome.claimed());
            if (row != null) {
                if (outcome.outcome() == Settlement.Outcome.DELIVERED && row.holdsKey && row.key != null) {
                    freed.add(row.key);
                }
                rows.change(row, now, () -> write(outcome, row, now));
                written++;
            }
        }
        freed.forEach(key -> rows.promote(key, now));
        return written;
    }

    int extend(List<ClaimedMessage> claims, Duration claimFor, Instant now) {
        int extended = 0;
        for (ClaimedMessage claimed : claims) {
            Row row = held(claimed);
            if (row != null) {
                row.claim = row.claimOrFail().extended(now, claimFor);
                extended++;
            }
        }
        return extended;
    }

    boolean beginTrial(ClaimedMessage claimed) {
        Row row = held(claimed);
        if (row == null) {
            return false;
        }
        row.claim = row.claimOrFail().onTrial();
        return true;
    }

    Unblocked unblock(Set<Integer> shards, long after, Instant now) {
        int freed = 0;
        int seen = 0;
        for (Row row : rows.behind(after)) {
            seen++;
            if (row.key != null && shards.contains(row.shard) && !rows.isHeldByEarlier(row)) {
                freed += rows.promote(row.key, now) ? 1 : 0;
            }
            if (seen == UNBLOCKED_AT_ONCE) {
                return new Unblocked(freed, row.seq);
            }
        }
        return new Unblocked(freed, 0);
    }

    private @Nullable Row held(ClaimedMessage claimed) {
        Row row = rows.withSeq(claimed.seq());
        return row != null && row.isClaimedWith(claimed.token()) ? row : null;
    }

    private static void write(Settlement outcome, Row row, Instant now) {
        row.status = MessageStatus.PENDING;
        switch (outcome.outcome()) {
            case DELIVERED -> deliver(row, now);
            case RETRY -> {
                row.due = now.plus(outcome.delay());
                row.holdsKey = outcome.holdsKey();
                blame(row, outcome);
            }
            case DEAD -> {
                row.status = MessageStatus.DEAD;
                row.due = null;
                row.holdsKey = outcome.holdsKey();
                blame(row, outcome);
                row.died = now;
            }
            case RELEASED -> row.attempts--;
            case BEHIND -> {
                row.attempts--;
                row.due = Row.INFINITY;
                row.holdsKey = true;
            }
        }
    }

    private static void blame(Row row, Settlement outcome) {
        row.error = outcome.error();
        row.failure = outcome.failure();
        forgetLosses(row);
    }

    // Whoever wrote the outcome has survived the message. One that was only given back may still be a killer.
    private static void forgetLosses(Row row) {
        row.lostClaims = 0;
        row.onTrial = false;
    }

    private static void deliver(Row row, Instant now) {
        row.status = MessageStatus.DELIVERED;
        row.due = null;
        row.holdsKey = false;
        row.error = null;
        row.failure = null;
        forgetLosses(row);
        row.delivered = now;
    }
}
