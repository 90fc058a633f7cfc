package dev.postrider.verification.simulator;

import dev.postrider.spi.ClaimRequest;
import dev.postrider.spi.ClaimedBatch;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Membership;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Unblocked;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** The store as one process uses it, with every effect written down at the moment it happens. */
final class ObservedStore extends ForwardingStore {

    private final int node;
    private final Observer observer;

    ObservedStore(OutboxStore store, int node, Observer observer) {
        super(store);
        this.node = node;
        this.observer = observer;
    }

    @Override
    public ClaimedBatch claim(ClaimRequest request, SeqRange range) {
        ClaimedBatch batch = super.claim(request, range);
        claimed(batch.messages(), request, "");
        return batch;
    }

    @Override
    public List<ClaimedMessage> claimWaiting(ClaimRequest request) {
        List<ClaimedMessage> messages = super.claimWaiting(request);
        claimed(messages, request, "waiting");
        return messages;
    }

    private void claimed(List<ClaimedMessage> messages, ClaimRequest request, String how) {
        long until = observer.now() + request.claimFor().toNanos();
        for (ClaimedMessage message : messages) {
            note(Fact.Kind.CLAIMED, message, until, how);
        }
        if (messages.isEmpty()) {
            observer.lookAtClaimed(node, "claim");
        } else {
            observer.look(node, "claim");
        }
    }

    @Override
    public int settle(List<Settlement> outcomes) {
        for (Settlement outcome : outcomes) {
            note(Fact.Kind.SETTLE, outcome.claimed(), 0, outcome.outcome().name());
        }
        int written = super.settle(outcomes);
        observer.look(node, "settle");
        return written;
    }

    @Override
    public int extend(List<ClaimedMessage> claims, Duration claimFor) {
        long until = observer.now() + claimFor.toNanos();
        for (ClaimedMessage claim : claims) {
            note(Fact.Kind.EXTENDED, claim, until, "");
        }
        return super.extend(claims, claimFor);
    }

    @Override
    public boolean beginTrial(ClaimedMessage claimed) {
        boolean held = super.beginTrial(claimed);
        if (held) {
            note(Fact.Kind.TRIAL, claimed, 0, "");
        }
        return held;
    }

    @Override
    public Unblocked unblock(Set<Integer> shards, long after) {
        Unblocked freed = super.unblock(shards, after);
        if (freed.messages() > 0) {
            observer.note(Fact.Kind.FAULT, node, Fact.NOBODY, "unblocked");
        }
        return freed;
    }

    @Override
    public Membership renew(String relay, Duration ownFor) {
        Membership membership = super.renew(relay, ownFor);
        observer.note(Fact.Kind.RENEWED, node, Fact.NOBODY, 0, observer.now() + ownFor.toNanos(), "");
        return membership;
    }

    @Override
    public List<OwnedShard> acquire(String relay, Set<Integer> shards) {
        List<OwnedShard> taken = super.acquire(relay, shards);
        taken.forEach(shard -> observer.note(Fact.Kind.ACQUIRED, node, Fact.NOBODY, shard.shard(), shard.epoch(), ""));
        return taken;
    }

    @Override
    public void release(String relay, List<OwnedShard> shards) {
        super.release(relay, shards);
        shards.forEach(shard -> observer.note(Fact.Kind.RELEASED, node, Fact.NOBODY, shard.shard(), shard.epoch(), ""));
    }

    @Override
    public void leave(String relay) {
        super.leave(relay);
        observer.note(Fact.Kind.LEFT, node, Fact.NOBODY, "");
    }

    private void note(Fact.Kind kind, ClaimedMessage message, long b, String text) {
        observer.note(kind, node, PlannedMessage.numberOf(message.message()), message.token(), b, text);
    }
}
