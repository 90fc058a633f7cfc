package dev.postrider.verification.simulator;

import dev.postrider.spi.Acquired;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.DuePosition;
import dev.postrider.spi.FetchRequest;
import dev.postrider.spi.FetchedDue;
import dev.postrider.spi.FetchedPage;
import dev.postrider.spi.FetchedRow;
import dev.postrider.spi.Membership;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.RelayReport;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Settled;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Unblocked;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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
    public FetchedPage fetch(FetchRequest request, SeqRange range, int rows) {
        FetchedPage page = super.fetch(request, range, rows);
        fetched(page.rows());
        return page;
    }

    @Override
    public FetchedDue fetchDue(FetchRequest request, @Nullable DuePosition after) {
        FetchedDue due = super.fetchDue(request, after);
        fetched(due.rows());
        return due;
    }

    private void fetched(List<FetchedRow> rows) {
        for (FetchedRow row : rows) {
            int lost = row.claimed().lostClaims();
            note(Fact.Kind.FETCHED, row.claimed(), lost == 0 ? "" : "lost %d times".formatted(lost));
        }
        if (!rows.isEmpty()) {
            observer.look(node, "fetch");
        }
    }

    @Override
    public Settled settle(List<Settlement> outcomes) {
        for (Settlement outcome : outcomes) {
            note(Fact.Kind.SETTLE, outcome.claimed(), outcome.outcome().name());
        }
        Settled settled = super.settle(outcomes);
        observer.look(node, "settle");
        return settled;
    }

    @Override
    public boolean beginTrial(ClaimedMessage claimed) {
        boolean held = super.beginTrial(claimed);
        if (held) {
            note(Fact.Kind.TRIAL, claimed, "");
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
    public Membership renew(RelayReport report, Duration ownFor) {
        Membership membership = super.renew(report, ownFor);
        long until = observer.now() + ownFor.toNanos();
        observer.note(Fact.Kind.RENEWED, node, Fact.NOBODY, ShardView.setOf(membership.owned()), until, "");
        return membership;
    }

    @Override
    public Acquired acquire(String relay, Set<Integer> shards) {
        Acquired acquired = super.acquire(relay, shards);
        acquired.shards().forEach(shard -> noteShard(Fact.Kind.ACQUIRED, shard));
        return acquired;
    }

    @Override
    public void release(String relay, List<OwnedShard> shards) {
        super.release(relay, shards);
        shards.forEach(shard -> noteShard(Fact.Kind.RELEASED, shard));
    }

    @Override
    public void leave(String relay) {
        super.leave(relay);
        observer.note(Fact.Kind.LEFT, node, Fact.NOBODY, "");
    }

    private void noteShard(Fact.Kind kind, OwnedShard shard) {
        observer.note(kind, node, Fact.NOBODY, shard.shard(), shard.epoch(), "");
    }

    private void note(Fact.Kind kind, ClaimedMessage message, String text) {
        observer.note(kind, node, PlannedMessage.numberOf(message.message()), message.token(), message.epoch(), text);
    }
}
