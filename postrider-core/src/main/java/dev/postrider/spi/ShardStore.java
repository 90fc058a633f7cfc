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
     * Takes those of {@code shards} that have no live owner, raises their epochs, and counts a lost claim for every
     * message of them that the dead owner's journal holds and that is still PENDING with as many attempts. No
     * settlement of a dead owner changes a row of these shards after this method returns.
     *
     * @return what was taken; nothing if the relay itself is not alive
     */
    Acquired acquire(String relay, Set<Integer> shards);

    /** Gives up shards the relay still owns under the given epochs; others are left alone. */
    void release(String relay, List<OwnedShard> shards);

    /** Gives up every shard, removes the relay's journal and leaves the set of live relays. */
    void leave(String relay);

    /** Records for the shards {@code relay} owns where a scan for PENDING rows may begin. */
    void saveLowWater(String relay, long seq);
}
