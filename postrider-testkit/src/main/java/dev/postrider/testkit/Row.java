package dev.postrider.testkit;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.admin.StoredMessage;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Shards;
import dev.postrider.spi.TopicName;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One message as it is stored. Guarded by the store's lock; whoever changes it tells {@link Rows}. */
final class Row {

    /** Behind an earlier message of its key, for as long as that takes. */
    static final Instant INFINITY = Instant.MAX;

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

    /** The fence: only the claim that the row still carries may change it. */
    boolean isClaimedWith(long token) {
        return status == MessageStatus.CLAIMED && claim != null && claim.token() == token;
    }

    ClaimedMessage claimed() {
        Claim held = claimOrFail();
        return new ClaimedMessage(
                seq, held.token(), held.owner(), shard, attempts, holdsKey, lostClaims, onTrial, defect, message);
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
}
