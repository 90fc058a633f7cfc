package dev.postrider.verification.simulator;

import dev.postrider.spi.Acquired;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.ClosedGate;
import dev.postrider.spi.DuePosition;
import dev.postrider.spi.FetchRequest;
import dev.postrider.spi.FetchedDue;
import dev.postrider.spi.FetchedPage;
import dev.postrider.spi.Membership;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.RelayReport;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Settled;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.TopicFilter;
import dev.postrider.spi.Unblocked;
import dev.postrider.spi.Writer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Does what another store does; a subclass changes a part of it. */
abstract class ForwardingStore implements OutboxStore {

    final OutboxStore store;

    ForwardingStore(OutboxStore store) {
        this.store = store;
    }

    @Override
    public FetchedPage fetch(FetchRequest request, SeqRange range, int rows) {
        return store.fetch(request, range, rows);
    }

    @Override
    public FetchedDue fetchDue(FetchRequest request, @Nullable DuePosition after) {
        return store.fetchDue(request, after);
    }

    @Override
    public List<Long> appeared(Set<Integer> shards, TopicFilter topics, List<SeqRange> holes) {
        return store.appeared(shards, topics, holes);
    }

    @Override
    public Optional<Set<Writer>> writers() {
        return store.writers();
    }

    @Override
    public List<ClaimedMessage> claimUnsharded(
            String owner, int limit, Duration claimFor, int maxAttempts, @Nullable String namespace) {
        return store.claimUnsharded(owner, limit, claimFor, maxAttempts, namespace);
    }

    @Override
    public Settled settle(List<Settlement> outcomes) {
        return store.settle(outcomes);
    }

    @Override
    public boolean beginTrial(ClaimedMessage claimed) {
        return store.beginTrial(claimed);
    }

    @Override
    public Unblocked unblock(Set<Integer> shards, long after) {
        return store.unblock(shards, after);
    }

    @Override
    public void saveGates(String relay, List<ClosedGate> closed) {
        store.saveGates(relay, closed);
    }

    @Override
    public boolean decrypts() {
        return store.decrypts();
    }

    @Override
    public Membership renew(RelayReport report, Duration ownFor) {
        return store.renew(report, ownFor);
    }

    @Override
    public Acquired acquire(String relay, Set<Integer> shards) {
        return store.acquire(relay, shards);
    }

    @Override
    public void release(String relay, List<OwnedShard> shards) {
        store.release(relay, shards);
    }

    @Override
    public void leave(String relay) {
        store.leave(relay);
    }

    @Override
    public void saveLowWater(String relay, long seq) {
        store.saveLowWater(relay, seq);
    }
}
