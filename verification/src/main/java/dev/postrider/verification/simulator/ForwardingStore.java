package dev.postrider.verification.simulator;

import dev.postrider.spi.ClaimRequest;
import dev.postrider.spi.ClaimedBatch;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.ClosedGate;
import dev.postrider.spi.Membership;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.Outlook;
import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Unblocked;
import dev.postrider.spi.Writer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Does what another store does; a subclass changes a part of it. {@link #lookAndClaim} is not passed on, so that it
 * looks and claims as the subclass does.
 */
abstract class ForwardingStore implements OutboxStore {

    final OutboxStore store;

    ForwardingStore(OutboxStore store) {
        this.store = store;
    }

    @Override
    public Outlook look(long after, int limit, List<SeqRange> gaps) {
        return store.look(after, limit, gaps);
    }

    @Override
    public ClaimedBatch claim(ClaimRequest request, SeqRange range) {
        return store.claim(request, range);
    }

    @Override
    public List<ClaimedMessage> claimWaiting(ClaimRequest request) {
        return store.claimWaiting(request);
    }

    @Override
    public List<ClaimedMessage> claimUnsharded(
            String owner, int limit, Duration claimFor, int maxAttempts, @Nullable String namespace) {
        return store.claimUnsharded(owner, limit, claimFor, maxAttempts, namespace);
    }

    @Override
    public int settle(List<Settlement> outcomes) {
        return store.settle(outcomes);
    }

    @Override
    public int extend(List<ClaimedMessage> claims, Duration claimFor) {
        return store.extend(claims, claimFor);
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
    public Optional<Set<Writer>> writers() {
        return store.writers();
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
    public Membership renew(String relay, Duration ownFor) {
        return store.renew(relay, ownFor);
    }

    @Override
    public List<OwnedShard> acquire(String relay, Set<Integer> shards) {
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
