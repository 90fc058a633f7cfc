package dev.postrider.relay;

import dev.postrider.spi.Membership;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.Shards;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Keeps a relay alive in the store and its share of the shards fair: takes free ones up to the share, hands over what
 * is above it once nothing of it is in flight. For one thread.
 */
final class ShardKeeper {

    private static final long SAVE_EVERY = Duration.ofSeconds(5).toNanos();
    private static final long UNBLOCK_EVERY = Duration.ofSeconds(30).toNanos();

    private final OutboxStore store;
    private final RelayLoop loop;
    private final RelayState state;
    private final RelayConfig config;
    private long nextSave;
    private long nextUnblock;
    private boolean acquiring;

    ShardKeeper(OutboxStore store, RelayLoop loop, RelayConfig config) {
        this.store = store;
        this.loop = loop;
        this.state = loop.state();
        this.config = config;
        this.nextSave = config.nanoTime.getAsLong() + SAVE_EVERY;
        this.nextUnblock = config.nanoTime.getAsLong() + UNBLOCK_EVERY;
    }

    /** Renews, balances and tidies up. */
    void turn() {
        Membership membership = renew();
        balance(membership);
        loop.extendClaims();
        tidy();
    }

    /** Hands everything over at once. */
    void leave() {
        saveLowWater();
        store.leave(config.relay);
    }

    private Membership renew() {
        // The clock is read before the call: the store may count from any moment during it.
        long nanos = config.nanoTime.getAsLong();
        Membership membership = store.renew(config.relay, config.ownFor);
        long margin = config.ownFor.toNanos() / 5;
        report(state.renewed(membership.owned(), nanos + config.ownFor.toNanos() - margin));
        // An acquire whose answer was lost may have succeeded all the same.
        acquiring = false;
        gained(state.unknown(membership.owned()));
        return membership;
    }

    private void balance(Membership membership) {
        int share = share(membership);
        List<OwnedShard> done = state.handedOver();
        if (!done.isEmpty()) {
            saveLowWater();
            store.release(config.relay, done);
            Set<Integer> gone = done.stream().map(OwnedShard::shard).collect(Collectors.toSet());
            state.gone(gone);
            report(gone);
        }
        int owned = state.shards().size();
        if (owned > share) {
            state.handOver(surplus(state.shards(), owned - share));
        } else if (owned < share && !membership.free().isEmpty()) {
            acquire(membership, share - owned);
        }
    }

    // Relays beyond the number of active ones stand by: their share is nothing.
    private int share(Membership membership) {
        int rank = membership.relays().indexOf(config.relay);
        int active = Math.min(membership.relays().size(), config.activeRelays);
        if (rank < 0 || rank >= active) {
            return 0;
        }
        return Shards.COUNT / active + (rank < Shards.COUNT % active ? 1 : 0);
    }

    private static Set<Integer> surplus(Set<Integer> owned, int count) {
        return owned.stream().sorted(Comparator.reverseOrder()).limit(count).collect(Collectors.toSet());
    }

    private void acquire(Membership membership, int count) {
        Set<Integer> wanted =
                new TreeSet<>(membership.free()).stream().limit(count).collect(Collectors.toSet());
        acquiring = true;
        List<OwnedShard> taken = store.acquire(config.relay, wanted);
        acquiring = false;
        gained(taken);
    }

    private void gained(List<OwnedShard> shards) {
        if (shards.isEmpty()) {
            return;
        }
        Set<Integer> numbers = shards.stream().map(OwnedShard::shard).collect(Collectors.toSet());
        state.gained(shards);
        config.listener.shardsAcquired(numbers);
        store.unblock(numbers);
    }

    private void tidy() {
        long nanos = config.nanoTime.getAsLong();
        if (state.shards().isEmpty()) {
            return;
        }
        if (nanos - nextSave >= 0) {
            nextSave = nanos + SAVE_EVERY;
            saveLowWater();
        }
        if (nanos - nextUnblock >= 0) {
            nextUnblock = nanos + UNBLOCK_EVERY;
            store.unblock(state.shards());
        }
    }

    // Not while shards may be ours that we have not heard of: their rows are still to be looked at.
    private void saveLowWater() {
        long low = state.lowWater();
        if (low < Long.MAX_VALUE && !acquiring) {
            store.saveLowWater(config.relay, low);
        }
    }

    private void report(Set<Integer> lost) {
        if (!lost.isEmpty()) {
            config.listener.shardsLost(lost);
        }
    }
}
