package dev.postrider.testkit;

import dev.postrider.admin.ClosedTopic;
import dev.postrider.spi.Membership;
import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.Shards;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Who lives and who owns which shard. Guarded by the store's lock. */
final class Ownership {

    static final long NOT_OWNED = -1;

    private final Map<String, Instant> aliveUntil = new LinkedHashMap<>();
    private final Map<String, List<ClosedTopic>> gates = new LinkedHashMap<>();
    private final @Nullable String[] owners = new String[Shards.COUNT];
    private final long[] epochs = new long[Shards.COUNT];
    private final long[] lowWaters = new long[Shards.COUNT];

    Membership renew(String relay, Duration ownFor, Instant now) {
        aliveUntil.put(relay, now.plus(ownFor));
        List<OwnedShard> owned = new ArrayList<>();
        Set<Integer> free = new LinkedHashSet<>();
        for (int shard = 0; shard < Shards.COUNT; shard++) {
            if (relay.equals(owners[shard])) {
                owned.add(owned(shard));
            } else if (isFree(shard, now)) {
                free.add(shard);
            }
        }
        List<String> alive = aliveUntil.keySet().stream()
                .filter(other -> isAlive(other, now))
                .toList();
        return new Membership(alive, owned, free);
    }

    List<OwnedShard> acquire(String relay, Set<Integer> shards, Instant now) {
        List<OwnedShard> taken = new ArrayList<>();
        if (!isAlive(relay, now)) {
            return taken;
        }
        for (int shard = 0; shard < Shards.COUNT; shard++) {
            if (shards.contains(shard) && isFree(shard, now)) {
                owners[shard] = relay;
                epochs[shard]++;
                taken.add(owned(shard));
            }
        }
        return taken;
    }

    void release(String relay, List<OwnedShard> shards) {
        for (OwnedShard shard : shards) {
            if (relay.equals(owners[shard.shard()]) && epochs[shard.shard()] == shard.epoch()) {
                owners[shard.shard()] = null;
            }
        }
    }

    void leave(String relay) {
        aliveUntil.remove(relay);
        gates.remove(relay);
        for (int shard = 0; shard < Shards.COUNT; shard++) {
            if (relay.equals(owners[shard])) {
                owners[shard] = null;
            }
        }
    }

    void saveLowWater(String relay, long seq) {
        for (int shard = 0; shard < Shards.COUNT; shard++) {
            if (relay.equals(owners[shard])) {
                lowWaters[shard] = seq;
            }
        }
    }

    void saveGates(String relay, List<ClosedTopic> closed) {
        gates.put(relay, closed);
    }

    List<ClosedTopic> closedTopics(Instant now) {
        return gates.values().stream()
                .flatMap(List::stream)
                .filter(closed -> isAlive(closed.relay(), now))
                .sorted(Comparator.comparing(ClosedTopic::topic).thenComparing(ClosedTopic::relay))
                .toList();
    }

    int relays(Instant now) {
        return (int) aliveUntil.keySet().stream()
                .filter(relay -> isAlive(relay, now))
                .count();
    }

    int unowned(Instant now) {
        return (int) IntStream.range(0, Shards.COUNT)
                .filter(shard -> isFree(shard, now))
                .count();
    }

    /** Returns the epoch under which the relay owns the shard now, or {@link #NOT_OWNED}. */
    long epochOf(int shard, String relay, Instant now) {
        return relay.equals(owners[shard]) && isAlive(relay, now) ? epochs[shard] : NOT_OWNED;
    }

    private OwnedShard owned(int shard) {
        return new OwnedShard(shard, epochs[shard], lowWaters[shard]);
    }

    private boolean isFree(int shard, Instant now) {
        String owner = owners[shard];
        return owner == null || !isAlive(owner, now);
    }

    private boolean isAlive(String relay, Instant now) {
        Instant until = aliveUntil.get(relay);
        return until != null && until.isAfter(now);
    }
}
