package dev.postrider.testkit;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.admin.StoredMessage;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.FetchRequest;
import dev.postrider.spi.Shards;
import dev.postrider.spi.TopicName;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One message as it is stored. Guarded by the store's lock; {@link Rows#change} keeps the indexes in step. */
final class Row {

    /** The due time of a message that waits behind an earlier one of its key. */
    static final Instant INFINITY = Instant.MAX;

    /** A key inside its topic: equal ones are delivered in order. */
    record KeyName(TopicName topic, String key) {}

    /** The last claim of a caller that drives its own loop. */
    record Claim(String owner, long token, Instant until) {

        boolean isOver(Instant now) {
            return !until.isAfter(now);
        }
    }

    final long seq;
    final OutboxMessage message;
    final TopicName topic;
    final @Nullable KeyName key;
    final int shard;
    final Instant created;

    MessageStatus status = MessageStatus.PENDING;
    int attempts;
    int lostClaims;
    boolean onTrial;
    boolean holdsKey;

    @Nullable Instant due;

    @Nullable Claim claim;

    @Nullable String error;

    @Nullable String failure;

    @Nullable String defect;

    Instant updated;

    @Nullable Instant delivered;

    @Nullable Instant died;

    Row(long seq, OutboxMessage message, Instant created) {
        this.seq = seq;
        this.message = message;
        this.topic = TopicName.of(message);
        this.key = message.key().map(value -> new KeyName(topic, value)).orElse(null);
        this.shard = Shards.of(message);
        this.created = created;
        this.updated = created;
        this.due = message.deliverAfter().isZero() ? null : created.plus(message.deliverAfter());
    }

    boolean waits() {
        return due != null;
    }

    boolean isBehind() {
        return INFINITY.equals(due);
    }

    /** Returns whether a relay may send it: it is PENDING, or claimed without a shard and the claim is over. */
    boolean isOpen(Instant now) {
        return status == MessageStatus.PENDING
                || (status == MessageStatus.CLAIMED && claimOrFail().isOver(now));
    }

    boolean isClaimedWith(long token) {
        return status == MessageStatus.CLAIMED && claimOrFail().token() == token;
    }

    ClaimedMessage claimed() {
        Claim held = claimOrFail();
        return new ClaimedMessage(
                seq, held.token(), held.owner(), shard, attempts, holdsKey, lostClaims, onTrial, defect, message);
    }

    ClaimedMessage fetched(FetchRequest request) {
        return new ClaimedMessage(
                seq,
                request.token(),
                request.relay(),
                shard,
                Objects.requireNonNull(request.epochs().get(shard)),
                attempts + 1,
                holdsKey,
                lostClaims,
                onTrial,
                defect,
                due,
                message);
    }

    /** Returns whether the message is neither delivered nor given up. */
    boolean isOpen() {
        return status == MessageStatus.PENDING || status == MessageStatus.CLAIMED;
    }

    boolean isWaiting(Instant now) {
        return status == MessageStatus.PENDING && due != null && due.isAfter(now);
    }

    Claim claimOrFail() {
        if (claim == null) {
            throw new IllegalStateException("Row %d was never claimed".formatted(seq));
        }
        return claim;
    }

    StoredMessage stored() {
        Instant shownDue = status == MessageStatus.PENDING && !isBehind() ? due : null;
        StoredMessage.Times times = new StoredMessage.Times(
                created, updated, shownDue, claim == null ? null : claim.until(), delivered, died);
        return new StoredMessage(
                seq, status, attempts, claim == null ? null : claim.owner(), error, failure, times, defect, message);
    }

    /** Returns the row as the journal shows it while a relay has it in flight. */
    StoredMessage inFlight(Journal.Entry entry, @Nullable Instant until) {
        StoredMessage.Times times = new StoredMessage.Times(created, entry.at(), null, until, delivered, died);
        return new StoredMessage(
                seq, MessageStatus.CLAIMED, attempts + 1, entry.relay(), error, failure, times, defect, message);
    }
}
