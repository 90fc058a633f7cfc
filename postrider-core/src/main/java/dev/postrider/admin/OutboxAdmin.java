package dev.postrider.admin;

import dev.postrider.MessageStatus;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * What a person may do to messages. Every action is guarded by the state the message must be in, so an action never
 * disturbs a relay, and leaves an entry in the audit trail for each message it has changed. Implementations are
 * thread-safe.
 */
public interface OutboxAdmin {

    /** Finds a message by its id. */
    Optional<StoredMessage> find(UUID id);

    /**
     * Returns the attempts on a message that did not succeed, oldest first: the last 50, or a few more while it is
     * being tried again after a requeue or a replay. Known for a while after the message is gone.
     */
    List<Attempt> attempts(UUID id);

    /** Lists messages in one state, oldest first, above the sequence {@code after}. */
    List<StoredMessage> list(MessageStatus status, long after, int limit);

    /** Lists blocked keys, with what waits behind them. */
    List<BlockedKey> blockedKeys(int limit);

    /** Lists the topics that living relays cannot reach, by name; each relay tells up to 100, a second or so late. */
    List<ClosedTopic> closedTopics();

    /**
     * Gives DEAD messages a new life: PENDING, due now, attempts from zero.
     *
     * @return how many were dead
     */
    int requeue(Collection<UUID> ids, Decision decision);

    /**
     * Moves DEAD messages into the archive; whatever waited behind them goes on.
     *
     * @return how many were dead
     */
    int discard(Collection<UUID> ids, Decision decision);

    /**
     * Delivers DELIVERED messages once more, without holding back their keys.
     *
     * @return how many were delivered
     */
    int replay(Collection<UUID> ids, Decision decision);

    /**
     * Removes up to {@code limit} DELIVERED messages older than {@code age}; nothing else is ever touched, locked rows
     * are left for the next time. Each batch of up to 1,000 leaves one entry in the audit trail.
     *
     * @return how many were removed
     */
    int purge(Duration age, int limit, Decision decision);

    /** Counts cheaply. */
    OutboxStats stats();

    /** Counts cheaply by topic. */
    TopicStats topicStats();
}
