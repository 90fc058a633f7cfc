package dev.postrider.verification.simulator;

import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.Shards;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Who owns which shard by the store's clock, as the facts so far have it. */
final class ShardView implements Rule {

    private final int[] owners = new int[Shards.COUNT];
    private final long[] epochs = new long[Shards.COUNT];
    private final Map<Integer, Long> aliveUntil = new HashMap<>();

    ShardView() {
        Arrays.fill(owners, Fact.NOBODY);
    }

    @Override
    public void follow(Fact fact) {
        switch (fact.kind()) {
            case RENEWED -> {
                aliveUntil.put(fact.node(), fact.b());
                giveUp(fact.node(), fact.a());
            }
            case ACQUIRED -> {
                owners[(int) fact.a()] = fact.node();
                epochs[(int) fact.a()] = fact.b();
            }
            case RELEASED -> {
                if (owners[(int) fact.a()] == fact.node() && epochs[(int) fact.a()] == fact.b()) {
                    owners[(int) fact.a()] = Fact.NOBODY;
                }
            }
            case LEFT -> {
                aliveUntil.remove(fact.node());
                giveUp(fact.node(), 0);
            }
            default -> {}
        }
    }

    // A relay that a take-over has removed meanwhile no longer owns the rest of its shards.
    private void giveUp(int node, long kept) {
        for (int shard = 0; shard < Shards.COUNT; shard++) {
            if (owners[shard] == node && (kept & 1L << shard) == 0) {
                owners[shard] = Fact.NOBODY;
            }
        }
    }

    /** Returns the shards as a set of bits. */
    static long setOf(List<OwnedShard> shards) {
        return shards.stream().mapToLong(shard -> 1L << shard.shard()).reduce(0, (a, b) -> a | b);
    }

    /** Returns whether the node owns the shard and its time is not over. */
    boolean owns(int node, int shard, long now) {
        return owners[shard] == node && aliveUntil.getOrDefault(node, Long.MIN_VALUE) > now;
    }

    int owner(int shard) {
        return owners[shard];
    }

    long epoch(int shard) {
        return epochs[shard];
    }
}
