package dev.postrider.testkit;

import dev.postrider.MessageStatus;
import dev.postrider.spi.ClaimRequest;
import dev.postrider.spi.ClaimSize;
import dev.postrider.spi.ClaimedBatch;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Failure;
import dev.postrider.spi.Outlook;
import dev.postrider.spi.SeqRange;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Hands rows out. Guarded by the store's lock. */
final class Claiming {

    private final Rows rows;
    private final Ownership ownership;

    // Far from any token a relay would choose.
    private long lastUnshardedToken = Long.MIN_VALUE;

    Claiming(Rows rows, Ownership ownership) {
        this.rows = rows;
        this.ownership = ownership;
    }

    Outlook look(long after, int limit, List<SeqRange> gaps) {
        List<Long> appeared = new ArrayList<>();
        for (SeqRange gap : gaps) {
            rows.in(gap).stream()
                    .filter(row -> row.status == MessageStatus.PENDING && !row.waits())
                    .forEach(row -> appeared.add(row.seq));
        }
        return new Outlook(rows.seqsAbove(after, limit), appeared);
    }

    ClaimedBatch claim(ClaimRequest request, SeqRange range, Instant now) {
        Basket basket = new Basket(request.size());
        for (Row row : rows.in(range)) {
            if (!row.waits() && !take(row, request, basket, now)) {
                return new ClaimedBatch(basket.messages, ownsAll(request, now) ? basket.lastSeq : range.after(), true);
            }
        }
        long scannedTo = Math.max(range.after(), Math.min(range.upTo(), rows.highestSeq()));
        return new ClaimedBatch(basket.messages, ownsAll(request, now) ? scannedTo : range.after(), false);
    }

    // Rows of a shard that is not owned now may be claimed later, so the scan has not passed them.
    private boolean ownsAll(ClaimRequest request, Instant now) {
        return request.shards().stream()
                .allMatch(shard -> ownership.epochOf(shard, request.relay(), now) != Ownership.NOT_OWNED);
    }

    List<ClaimedMessage> claimWaiting(ClaimRequest request, Instant now) {
        Basket basket = new Basket(request.size());
        for (Row row : rows.due(now)) {
            if (!take(row, request, basket, now)) {
                break;
            }
        }
        return basket.messages;
    }

    List<ClaimedMessage> claimUnsharded(
            String owner, int limit, Duration claimFor, int maxAttempts, @Nullable String namespace, Instant now) {
        List<ClaimedMessage> claimed = new ArrayList<>();
        Claim claim = new Claim(owner, ++lastUnshardedToken, Claim.UNSHARDED, now.plus(claimFor), false);
        for (Row row : rows.all()) {
            if (namespace != null && !namespace.equals(row.topic.namespace())) {
                continue;
            }
            boolean expired = isExpiredUnsharded(row, now);
            if (expired && row.attempts >= maxAttempts) {
                giveUp(row, now);
            } else if (claimed.size() < limit && row.attempts < maxAttempts && (expired || isDue(row, now))) {
                rows.change(row, now, () -> {
                    row.attempts++;
                    hold(row, claim);
                });
                claimed.add(row.claimed());
            }
        }
        return claimed;
    }

    /** Claims the row if it may be claimed; returns false if it may but does not fit. */
    private boolean take(Row row, ClaimRequest request, Basket basket, Instant now) {
        long epoch = request.shards().contains(row.shard)
                ? ownership.epochOf(row.shard, request.relay(), now)
                : Ownership.NOT_OWNED;
        if (epoch == Ownership.NOT_OWNED
                || request.closedTopics().contains(row.topic)
                || !isClaimable(row, epoch, request.token(), now)) {
            return true;
        }
        if (rows.isHeldByEarlier(row)) {
            rows.putBehind(row, now);
            return true;
        }
        if (!basket.fits(row)) {
            return false;
        }
        Claim claim = new Claim(request.relay(), request.token(), epoch, now.plus(request.claimFor()), false);
        rows.change(row, now, () -> {
            if (row.status == MessageStatus.PENDING) {
                row.attempts++;
            }
            hold(row, claim);
        });
        basket.add(row);
        return true;
    }

    private static boolean isClaimable(Row row, long epoch, long token, Instant now) {
        return row.status == MessageStatus.PENDING
                || row.isClaimedWith(token)
                || (row.status == MessageStatus.CLAIMED && row.claimOrFail().isLost(epoch, now));
    }

    // A repeated request finds its own claim: nothing was lost.
    private static void hold(Row row, Claim claim) {
        if (row.status == MessageStatus.CLAIMED && !row.isClaimedWith(claim.token())) {
            row.lostClaims++;
            row.onTrial = row.claimOrFail().trial();
        }
        row.status = MessageStatus.CLAIMED;
        row.claim = claim;
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

    private static boolean isExpiredUnsharded(Row row, Instant now) {
        return row.status == MessageStatus.CLAIMED
                && row.claimOrFail().isUnsharded()
                && row.claimOrFail().isOver(now);
    }

    private static boolean isDue(Row row, Instant now) {
        return row.status == MessageStatus.PENDING && (row.due == null || !row.due.isAfter(now));
    }

    /** What one claim has taken so far. */
    private static final class Basket {

        final List<ClaimedMessage> messages = new ArrayList<>();
        long lastSeq;
        private final ClaimSize size;
        private long bytes;

        Basket(ClaimSize size) {
            this.size = size;
        }

        boolean fits(Row row) {
            return messages.isEmpty()
                    || (messages.size() < size.messages() && bytes + row.message.payloadSize() <= size.bytes());
        }

        void add(Row row) {
            messages.add(row.claimed());
            bytes += row.message.payloadSize();
            lastSeq = row.seq;
        }
    }
}
