package dev.postrider.spi;

import java.util.List;
import java.util.Set;

/**
 * Who lives and who owns what, as one relay saw it when it renewed its own life.
 *
 * @param relays the live relays that share the shards, in the order in which they joined; one that is to be drained is
 *     not among them
 * @param owned the shards of the relay that asked
 * @param free the shards without a live owner
 * @param wanted what operators want of the relay that asked
 */
public record Membership(List<String> relays, List<OwnedShard> owned, Set<Integer> free, Wanted wanted) {

    /** Copies the collections. */
    public Membership {
        relays = List.copyOf(relays);
        owned = List.copyOf(owned);
        free = Set.copyOf(free);
    }

    /** Returns what is seen while operators want nothing but delivery. */
    public Membership(List<String> relays, List<OwnedShard> owned, Set<Integer> free) {
        this(relays, owned, free, Wanted.NOTHING_ELSE);
    }
}
