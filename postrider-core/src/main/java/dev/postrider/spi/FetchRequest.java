package dev.postrider.spi;

import java.util.Map;
import java.util.Set;

/**
 * What a relay asks for in one fetch.
 *
 * @param relay who fetches
 * @param epochs the shards to fetch from, each with the epoch under which the relay owns it
 * @param topics which topics to fetch from
 * @param size how much to fetch
 * @param inFlight sequences the relay has in memory already; they are not fetched again
 * @param token the name of the entry in the in-flight journal that records what is fetched
 * @param ended entries of the journal in which nothing is in flight any more; they are removed
 */
public record FetchRequest(
        String relay,
        Map<Integer, Long> epochs,
        TopicFilter topics,
        ClaimSize size,
        Set<Long> inFlight,
        long token,
        Set<Long> ended) {

    /** Copies the collections. */
    public FetchRequest {
        epochs = Map.copyOf(epochs);
        inFlight = Set.copyOf(inFlight);
        ended = Set.copyOf(ended);
    }

    /** Returns the shards to fetch from. */
    public Set<Integer> shards() {
        return epochs.keySet();
    }
}
