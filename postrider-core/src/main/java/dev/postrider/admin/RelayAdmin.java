package dev.postrider.admin;

import dev.postrider.spi.RelayMode;
import dev.postrider.spi.TopicName;
import java.util.List;

/**
 * What a person sees of relays in all processes, and what they may want of them. A relay reads what is wanted with its
 * heartbeat. So it obeys within its ownership time, or has stopped sending by then. What is at the broker comes to its
 * end. Every change leaves an entry in the audit trail. Implementations are thread-safe.
 */
public interface RelayAdmin {

    /** How many topics may be paused at the same time, because every relay reads them with each heartbeat. */
    int MOST_PAUSED_TOPICS = 100;

    /** Lists relays in the order in which they joined; one that died is forgotten a minute later. */
    List<KnownRelay> relays(int limit);

    /** Lists all shards by number, with the living relay that owns each. */
    List<ShardOwner> shards();

    /**
     * Wants another mode of one relay until the next change, whatever is wanted of all relays. It ends when the relay
     * is gone.
     *
     * @return whether that changed what is wanted; false also if no such relay is alive
     * @throws dev.postrider.OutboxException if relays of an older version live that this needs: to obey, or to take
     *     over the shards of a relay that is drained
     */
    boolean setMode(String relay, RelayMode mode, Decision decision);

    /**
     * Wants a mode of all relays, also of those that join later, and forgets what was wanted of single ones.
     *
     * @return how many living relays another mode is wanted of now
     * @throws dev.postrider.OutboxException if relays of an older version live, which would not obey
     */
    int setModeOfAll(RelayMode mode, Decision decision);

    /**
     * Lets no relay fetch or send messages of a topic until it is resumed, also after a restart; they stay PENDING.
     *
     * @return false if it was paused before
     * @throws dev.postrider.OutboxException if {@value #MOST_PAUSED_TOPICS} topics are paused, or relays of an older
     *     version live, which would not obey
     */
    boolean pauseTopic(TopicName topic, Decision decision);

    /**
     * Lets relays send to a topic again.
     *
     * @return false if it was not paused
     */
    boolean resumeTopic(TopicName topic, Decision decision);

    /** Lists the topics that are paused for all relays, by name. */
    List<PausedTopic> pausedTopics();
}
