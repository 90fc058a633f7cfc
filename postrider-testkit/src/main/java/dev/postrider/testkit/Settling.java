package dev.postrider.testkit;

import dev.postrider.MessageStatus;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Settled;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Settlement.Outcome;
import dev.postrider.spi.Unblocked;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes outcomes back. The epoch fences the outcomes of relays, the token those of claims without a shard. Guarded by
 * the store's lock.
 */
final class Settling {

    private static final int UNBLOCKED_AT_ONCE = 1_000;
    private static final int PROMOTED_AT_ONCE = 100;

    private final Rows rows;
    private final ShardOwners ownership;
    private final History history;

    Settling(Rows rows, ShardOwners ownership, History history) {
        this.rows = rows;
        this.ownership = ownership;
        this.history = history;
    }

    Settled settle(List<Settlement> outcomes, Instant now) {
        int written = 0;
        Set<Row.KeyName> freed = new LinkedHashSet<>();
        for (Settlement outcome : outcomes) {
            if (outcome.outcome() != Outcome.BEHIND) {
                written += settle(outcome, freed, now) ? 1 : 0;
            }
        }
        freed.forEach(key -> rows.promote(key, PROMOTED_AT_ONCE, now));
        // The holder may have been settled in the same transaction.
        for (Settlement outcome : outcomes) {
            if (outcome.outcome() == Outcome.BEHIND) {
                written += settleBehind(outcome, now) ? 1 : 0;
            }
        }
        return new Settled(written, List.of());
    }

    boolean beginTrial(ClaimedMessage claimed, Instant now) {
        Row row = held(claimed, now);
        if (row == null) {
            return false;
        }
        row.onTrial = true;
        return true;
    }

    Unblocked unblock(Set<Integer> shards, long after, Instant now) {
        int freed = 0;
        int seen = 0;
        for (Row row : rows.behind(after)) {
            seen++;
            if (row.key != null && shards.contains(row.shard) && rows.holderBefore(row) == null) {
                freed += rows.promoteFirst(row.key, now) ? 1 : 0;
            }
            if (seen == UNBLOCKED_AT_ONCE) {
                return new Unblocked(freed, row.seq);
            }
        }
        return new Unblocked(freed, 0);
    }

    private boolean settle(Settlement outcome, Set<Row.KeyName> freed, Instant now) {
        history.add(outcome, now);
        Row row = held(outcome.claimed(), now);
        if (row == null) {
            return false;
        }
        if (outcome.outcome() == Outcome.DELIVERED && row.holdsKey && row.key != null) {
            freed.add(row.key);
        }
        if (outcome.outcome() == Outcome.RELEASED && isOfRelay(outcome.claimed())) {
            row.onTrial = false;
        } else {
            rows.change(row, now, () -> write(outcome, row, now));
        }
        return true;
    }

    private boolean settleBehind(Settlement outcome, Instant now) {
        Row row = held(outcome.claimed(), now);
        Long seq = outcome.holder();
        Row holder = seq == null ? null : rows.withSeq(seq);
        if (row == null || holder == null || !holder.holdsKey) {
            return false;
        }
        rows.change(row, now, () -> write(outcome, row, now));
        return true;
    }

    private @Nullable Row held(ClaimedMessage claimed, Instant now) {
        Row row = rows.withSeq(claimed.seq());
        if (row == null) {
            return null;
        }
        boolean held = isOfRelay(claimed)
                ? row.isOpen(now)
                        && row.attempts == claimed.attempt() - 1
                        && Objects.equals(row.due, claimed.dueAt())
                        && ownership.owns(claimed.claimedBy(), claimed.shard(), claimed.epoch())
                : row.isClaimedWith(claimed.token());
        return held ? row : null;
    }

    private static boolean isOfRelay(ClaimedMessage claimed) {
        return claimed.epoch() != ClaimedMessage.NO_EPOCH;
    }

    private static void write(Settlement outcome, Row row, Instant now) {
        row.status = MessageStatus.PENDING;
        // A relay has settled a row whose claim without a shard was over.
        if (isOfRelay(outcome.claimed())) {
            row.claim = null;
        }
        switch (outcome.outcome()) {
            case DELIVERED -> deliver(row, outcome, now);
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
            case RELEASED -> row.onTrial = false;
            case BEHIND -> {
                row.due = Row.INFINITY;
                row.holdsKey = true;
            }
        }
    }

    private static void blame(Row row, Settlement outcome) {
        row.error = outcome.error();
        row.failure = outcome.failure();
        count(row, outcome);
    }

    private static void deliver(Row row, Settlement outcome, Instant now) {
        row.status = MessageStatus.DELIVERED;
        row.due = null;
        row.holdsKey = false;
        row.error = null;
        row.failure = null;
        count(row, outcome);
        row.delivered = now;
    }

    // The process that wrote the outcome has survived the message.
    private static void count(Row row, Settlement outcome) {
        row.attempts = outcome.claimed().attempt();
        row.lostClaims = 0;
        row.onTrial = false;
    }
}
