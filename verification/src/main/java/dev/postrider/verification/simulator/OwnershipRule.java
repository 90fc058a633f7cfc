package dev.postrider.verification.simulator;

import dev.postrider.spi.Shards;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** I8 and I8b: no shard is taken early, epochs rise, and a relay fetches and sends only in what it owns. */
final class OwnershipRule implements Rule {

    private final History history;
    private final ShardView shards;
    private final Findings findings;
    private final Map<Integer, Long> suspendedUntil = new HashMap<>();
    private final long ownFor;
    private final Set<Long> trials = new HashSet<>();

    OwnershipRule(History history, ShardView shards, Findings findings) {
        this.history = history;
        this.shards = shards;
        this.findings = findings;
        this.ownFor = history.plan().relay().times().ownFor().toNanos();
    }

    @Override
    public void follow(Fact fact) {
        switch (fact.kind()) {
            case ACQUIRED -> acquired(fact);
            case FETCHED -> {
                if (!owns(fact) || shards.epoch(shardOf(fact)) != fact.b()) {
                    findings.add(Invariant.OWNERSHIP, fact, "fetched from a shard of somebody else");
                }
            }
            case SENT -> sent(fact);
            case SUSPENDED -> suspendedUntil.put(fact.node(), fact.b());
            case FROZEN ->
                suspendedUntil.computeIfPresent(
                        fact.node(), (node, until) -> until > fact.at() ? Math.max(until, fact.b()) : until);
            case TRIAL -> trials.add(fact.a());
            default -> {}
        }
    }

    private void acquired(Fact fact) {
        int shard = (int) fact.a();
        int owner = shards.owner(shard);
        if (owner != Fact.NOBODY && shards.owns(owner, shard, fact.at())) {
            findings.add(Invariant.OWNERSHIP, fact, "shard %d taken from n%d before its time".formatted(shard, owner));
        }
        if (fact.b() <= shards.epoch(shard)) {
            findings.add(Invariant.OWNERSHIP, fact, "epoch %d of shard %d given twice".formatted(fact.b(), shard));
        }
    }

    // A suspended process cannot know that time passed; a trial is marked in the store between check and sending.
    private void sent(Fact fact) {
        boolean excused = trials.contains(fact.a())
                || fact.at() - suspendedUntil.getOrDefault(fact.node(), Long.MIN_VALUE / 2) < ownFor;
        if (!excused && !owns(fact)) {
            findings.add(Invariant.SENT_WHILE_OWNED, fact, "sent after its ownership had ended");
        }
    }

    private boolean owns(Fact fact) {
        return shards.owns(fact.node(), shardOf(fact), fact.at());
    }

    private int shardOf(Fact fact) {
        return Shards.of(history.message(fact.message()).message());
    }
}
