package dev.postrider.relay;

import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.TopicName;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Hears everything countable a relay does. Called on the relay's threads: implementations are thread-safe, quick and do
 * not throw.
 */
public interface RelayListener {

    /** Messages were fetched and are in flight now. */
    default void claimed(int messages) {}

    /**
     * A turn of the fetch loop asked the store and had its answers after that time, whether there was anything to fetch
     * or not. A turn that failed is told by {@link #turnFailed}; one that asks nothing, because there is no room or no
     * shard is owned, is not told.
     *
     * @param messages how many were fetched
     * @param full whether the turn took or saw as much as it was allowed to, so that more is likely waiting
     */
    default void polled(int messages, boolean full, Duration took) {}

    /** Outcomes were written; those that were not are reported by {@link #claimsLost}. */
    default void settled(List<Settlement> outcomes) {}

    /**
     * The store failed to record these messages as dead, for the first time; that is tried again until it succeeds, and
     * nothing else waits for it.
     */
    default void deadRefused(List<Settlement> dead, Throwable cause) {}

    /** Outcomes were not written: the shard has another owner, or the row was changed. Their rows are read again. */
    default void claimsLost(int messages) {}

    /**
     * So many messages were in flight when their relay died or froze, and are delivered again by this one. For a caller
     * that drives its own loop: so many of the messages just claimed had an earlier claim that expired.
     */
    default void claimsRecovered(int messages) {}

    /**
     * A row has a {@linkplain ClaimedMessage#defect defect}: it was not published and becomes DEAD. Told again if the
     * claim is lost before that is written.
     */
    default void integrityFailed(ClaimedMessage defective) {}

    /** A broker answered twice, too late, or for a message it was never given. */
    default void answerIgnored() {}

    /** The relay now owns these shards. */
    default void shardsAcquired(Set<Integer> shards) {}

    /** The relay handed over or lost these shards. */
    default void shardsLost(Set<Integer> shards) {}

    /** A topic cannot be reached; nothing is sent to it for a while. */
    default void gateClosed(TopicName topic, String error) {}

    /** A topic answers again. */
    default void gateOpened(TopicName topic) {}

    /** A turn of one of the relay's loops did not succeed; it is tried again. */
    default void turnFailed(String loop, Throwable cause) {}
}
