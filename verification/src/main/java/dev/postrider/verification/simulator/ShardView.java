package dev.postrider.verification.simulator;

import dev.postrider.spi.Shards;
import java.util.Arrays;
import java.util.HashMap;
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
            case RENEWED -> aliveUntil.put(fact.node(), fact.b());
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
                for (int shard = 0; shard < Shards.COUNT; shard++) {
                    if (owners[shard] == fact.node()) {
                        owners[shard] = Fact.NOBODY;
                    }
                }
            }
            default -> {}
        }
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
