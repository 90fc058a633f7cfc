package dev.postrider.relay;

import dev.postrider.spi.Acquired;
import dev.postrider.spi.Membership;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.RelayReport;
import dev.postrider.spi.Shards;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a relay alive in the store and its share of the shards fair: takes free ones up to the share, hands over what
 * is above it once nothing of it is in flight. For one thread.
 */
final class ShardKeeper {

    private static final Logger log = LoggerFactory.getLogger(ShardKeeper.class);
    private static final long SAVE_EVERY = Duration.ofSeconds(5).toNanos();
    private static final int TURNS_OWNED = 4;
    private static final Duration LONGEST_OWNERSHIP = Duration.ofMinutes(1);

    private final OutboxStore store;
    private final RelayState state;
    private final RelayConfig config;
    private final Supplier<RelayReport> report;
    private final Brakes brakes;
    private long nextSave;
    private Duration ownFor;
    private Duration logged;
    private boolean acquiring;

    /** Tells with each heartbeat what {@code report} supplies. */
    ShardKeeper(OutboxStore store, RelayState state, RelayConfig config, Supplier<RelayReport> report) {
        this.store = store;
        this.state = state;
        this.config = config;
        this.report = report;
        this.brakes = new Brakes(state);
        this.nextSave = config.nanoTime.getAsLong() + SAVE_EVERY;
        this.ownFor = config.ownFor;
        this.logged = config.ownFor;
    }

    /** Returns what holds the relay back. */
    Brakes brakes() {
        return brakes;
    }

    /** Renews, balances and saves the low-water mark now and then. */
    void turn() {
        long begin = config.nanoTime.getAsLong();
        try {
            balance(renew());
            saveNowAndThen();
        } finally {
            stretch(Duration.ofNanos(config.nanoTime.getAsLong() - begin));
        }
    }

    /** Hands everything over at once. */
    void leave() {
        saveLowWater();
        store.leave(config.relay);
    }

    private Membership renew() {
        RelayReport told = report.get();
        // The clock is read before the call: the store may count from any moment during it.
        long nanos = config.nanoTime.getAsLong();
        long margin = ownFor.toNanos() / 5;
        long sendUntil = nanos + ownFor.toNanos() - margin;
        // From here on the ownership may be shorter than the last answer said: the time to own has become shorter.
        state.renewing(sendUntil);
        Membership membership = store.renew(told, ownFor);
        // First, or a relay that has just joined would send to a paused topic.
        brakes.obey(membership.wanted());
        tellLost(state.renewed(membership.owned(), sendUntil));
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
            tellLost(gone);
        }
        int owned = state.shards().size();
        if (owned > share) {
            state.handOver(surplus(state.shards(), owned - share));
        } else if (owned < share && !membership.free().isEmpty()) {
            acquire(membership, share - owned);
        }
    }

    // Relays beyond the number of active ones stand by, as drained ones do: their share is nothing.
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
        Acquired acquired = store.acquire(config.relay, wanted);
        acquiring = false;
        gained(acquired.shards());
        if (acquired.lostClaims() > 0) {
            config.listener.claimsRecovered(acquired.lostClaims());
        }
    }

    private void gained(List<OwnedShard> shards) {
        if (shards.isEmpty()) {
            return;
        }
        Set<Integer> numbers = shards.stream().map(OwnedShard::shard).collect(Collectors.toSet());
        state.gained(shards);
        config.listener.shardsAcquired(numbers);
    }

    private void saveNowAndThen() {
        long nanos = config.nanoTime.getAsLong();
        if (nanos - nextSave >= 0 && !state.shards().isEmpty()) {
            nextSave = nanos + SAVE_EVERY;
            saveLowWater();
        }
    }

    // Guards against a database so far away that the ownership ends before the next heartbeat has arrived: the relay
    // would stand by for ever. A take-over after a crash then takes longer, too.
    private void stretch(Duration turn) {
        Duration needed = turn.multipliedBy(TURNS_OWNED);
        Duration bounded = needed.compareTo(LONGEST_OWNERSHIP) < 0 ? needed : LONGEST_OWNERSHIP;
        ownFor = bounded.compareTo(config.ownFor) > 0 ? bounded : config.ownFor;
        if (ownFor.compareTo(logged.multipliedBy(2)) >= 0) {
            logged = ownFor;
            log.warn(
                    "A heartbeat of relay {} took {}; it owns its shards for {} instead of {} after each",
                    config.relay,
                    turn,
                    ownFor,
                    config.ownFor);
        }
    }

    // Not while shards may be ours that we have not heard of: their rows are still to be looked at.
    private void saveLowWater() {
        long low = state.lowWater();
        if (low < Long.MAX_VALUE && !acquiring) {
            store.saveLowWater(config.relay, low);
        }
    }

    private void tellLost(Set<Integer> lost) {
        if (!lost.isEmpty()) {
            config.listener.shardsLost(lost);
        }
    }
}
