package dev.postrider.spi;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Who owns which shard. Life and death are judged by the store's clock alone. Implementations are thread-safe and
 * commit before they return.
 */
public interface ShardStore {

    /** Keeps {@code relay} alive for {@code ownFor} from now, letting it join if it is new, and tells who owns what. */
    Membership renew(String relay, Duration ownFor);

    /**
     * Takes those of {@code shards} that have no live owner and raises their epochs.
     *
     * @return what was taken; empty if the relay itself is not alive
     */
    List<OwnedShard> acquire(String relay, Set<Integer> shards);

    /** Gives up shards the relay still owns under the given epochs; others are left alone. */
    void release(String relay, List<OwnedShard> shards);

    /** Gives up every shard and leaves the set of live relays. */
    void leave(String relay);

    /** Records for the shards {@code relay} owns where a scan for claimable rows may begin. */
    void saveLowWater(String relay, long seq);
}
