package dev.postrider.relay;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which entries of the in-flight journal are still needed: an entry ends with the last of its messages. Not
 * thread-safe: guarded by {@link RelayState}.
 */
final class JournalEntries {

    /** How many entries one fetch removes. */
    static final int MOST_AT_ONCE = 1_000;

    private final Map<Long, Integer> messages = new HashMap<>();
    private final Set<Long> ended = new LinkedHashSet<>();

    /** One more message of the entry is in flight. */
    void add(long token) {
        messages.merge(token, 1, Integer::sum);
    }

    /** One message of the entry is no longer in flight. */
    void remove(long token) {
        Integer left = messages.computeIfPresent(token, (entry, count) -> count == 1 ? null : count - 1);
        if (left == null) {
            ended.add(token);
        }
    }

    /** A fetch under this token has ended, with an answer or without; none of its messages may be in flight. */
    void fetched(long token) {
        if (!messages.containsKey(token)) {
            ended.add(token);
        }
    }

    /** Returns entries that can be removed. */
    Set<Long> ended() {
        return ended.stream().limit(MOST_AT_ONCE).collect(Collectors.toSet());
    }

    /** The store has removed these entries. */
    void removed(Set<Long> tokens) {
        ended.removeAll(tokens);
    }
}
