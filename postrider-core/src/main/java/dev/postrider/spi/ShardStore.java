package dev.postrider.spi;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Who owns which shard. Life and death are judged by the store's clock alone. Implementations are thread-safe and
 * commit before they return.
 */
public interface ShardStore {

    /**
     * Keeps the relay alive for {@code ownFor} from now, letting it join if it is new, records its report, and tells
     * who owns what and what operators want.
     */
    Membership renew(RelayReport report, Duration ownFor);

    /** Keeps a relay alive that tells nothing but its name. */
    default Membership renew(String relay, Duration ownFor) {
        return renew(RelayReport.of(relay), ownFor);
    }

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

    /**
     * Gives up every shard, removes the relay's journal and what operators want of it, and leaves the set of live
     * relays.
     */
    void leave(String relay);

    /** Records for the shards {@code relay} owns where a scan for PENDING rows may begin. */
    void saveLowWater(String relay, long seq);
}
