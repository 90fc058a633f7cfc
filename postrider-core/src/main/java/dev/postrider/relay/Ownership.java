package dev.postrider.relay;

import dev.postrider.spi.OwnedShard;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a relay knows of its own shards. It stops sending before its ownership ends by its own monotonic clock; whether
 * it has ended is for the store to say. Not thread-safe: guarded by {@link RelayState}.
 */
final class Ownership {

    private final Map<Integer, OwnedShard> owned = new TreeMap<>();
    private final Set<Integer> handingOver = new HashSet<>();
    private long sendUntilNanos;
    private boolean renewed;

    /** The store is about to be asked: its answer may be late, and it may have ended the ownership earlier. */
    void renewing(long sendUntil) {
        if (sendUntil - sendUntilNanos < 0) {
            sendUntilNanos = sendUntil;
        }
    }

    /** Takes the store's word for what is owned; returns the shards that are gone or have another epoch. */
    Set<Integer> renewed(List<OwnedShard> now, long sendUntil) {
        this.sendUntilNanos = sendUntil;
        this.renewed = true;
        Map<Integer, Long> epochs = new HashMap<>();
        now.forEach(shard -> epochs.put(shard.shard(), shard.epoch()));
        Set<Integer> lost = new HashSet<>();
        owned.values().forEach(shard -> {
            Long epoch = epochs.get(shard.shard());
            if (epoch == null || epoch != shard.epoch()) {
                lost.add(shard.shard());
            }
        });
        remove(lost);
        return lost;
    }

    void add(List<OwnedShard> shards) {
        shards.forEach(shard -> {
            owned.put(shard.shard(), shard);
            handingOver.remove(shard.shard());
        });
    }

    void remove(Set<Integer> shards) {
        owned.keySet().removeAll(shards);
        handingOver.removeAll(shards);
    }

    void handOver(Set<Integer> shards) {
        handingOver.addAll(shards);
    }

    boolean maySend(long nanos) {
        return renewed && sendUntilNanos - nanos > 0;
    }

    boolean owns(int shard) {
        return owned.containsKey(shard);
    }

    /** Returns whether messages of this shard may be fetched under this epoch. */
    boolean isClaimable(int shard, long epoch) {
        OwnedShard own = owned.get(shard);
        return own != null && own.epoch() == epoch && !handingOver.contains(shard);
    }

    /** Returns the epochs of the shards to fetch from. */
    Map<Integer, Long> epochs() {
        Map<Integer, Long> epochs = new HashMap<>();
        owned.forEach((shard, own) -> {
            if (!handingOver.contains(shard)) {
                epochs.put(shard, own.epoch());
            }
        });
        return epochs;
    }

    /** The shards to fetch from. */
    Set<Integer> claimable() {
        Set<Integer> shards = new HashSet<>(owned.keySet());
        shards.removeAll(handingOver);
        return shards;
    }

    Set<Integer> handingOver() {
        return Set.copyOf(handingOver);
    }

    List<OwnedShard> owned(Set<Integer> shards) {
        return owned.values().stream()
                .filter(shard -> shards.contains(shard.shard()))
                .toList();
    }

    Set<Integer> shards() {
        return Set.copyOf(owned.keySet());
    }
}
