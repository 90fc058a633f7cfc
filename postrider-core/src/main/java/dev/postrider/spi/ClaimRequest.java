package dev.postrider.spi;

import java.time.Duration;
import java.util.Set;

/**
 * What a relay asks for in one claim.
 *
 * @param relay who claims
 * @param shards where it claims; the store claims nothing in a shard the relay does not own
 * @param closedTopics what it leaves alone
 * @param size how much it takes
 * @param claimFor how long the claim lasts
 * @param token marks the claimed rows and fences their settlement. A request that failed is repeated unchanged, with
 *     its token: rows the failed one had claimed are claimed again and not counted twice
 */
public record ClaimRequest(
        String relay, Set<Integer> shards, Set<TopicName> closedTopics, ClaimSize size, Duration claimFor, long token) {

    /** Copies the sets. */
    public ClaimRequest {
        shards = Set.copyOf(shards);
        closedTopics = Set.copyOf(closedTopics);
    }

    /** Returns the same request in other shards. */
    public ClaimRequest in(Set<Integer> others) {
        return new ClaimRequest(relay, others, closedTopics, size, claimFor, token);
    }

    /** Returns the same request for at most so many messages. */
    public ClaimRequest atMost(int messages) {
        ClaimSize smaller = new ClaimSize(Math.min(messages, size.messages()), size.bytes());
        return new ClaimRequest(relay, shards, closedTopics, smaller, claimFor, token);
    }

    /** Returns the same request under another token. */
    public ClaimRequest under(long other) {
        return new ClaimRequest(relay, shards, closedTopics, size, claimFor, other);
    }
}
