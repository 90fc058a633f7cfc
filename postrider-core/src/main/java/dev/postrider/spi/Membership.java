package dev.postrider.spi;

import java.util.List;
import java.util.Set;

/**
 * Who lives and who owns what, as one relay saw it when it renewed its own life.
 *
 * @param relays the live relays, in the order in which they joined
 * @param owned the shards of the relay that asked
 * @param free the shards without a live owner
 */
public record Membership(List<String> relays, List<OwnedShard> owned, Set<Integer> free) {

    /** Copies the collections. */
    public Membership {
        relays = List.copyOf(relays);
        owned = List.copyOf(owned);
        free = Set.copyOf(free);
    }
}
