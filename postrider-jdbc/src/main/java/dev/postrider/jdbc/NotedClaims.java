package dev.postrider.jdbc;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts what is still open of the claims that this process noted beside their rows, so that a note goes with the last
 * of its messages. Nothing depends on it but that: a note that is left over is removed by the next sweep. Thread-safe.
 */
final class NotedClaims {

    private static final int MOST = 10_000;

    private final Map<Long, Integer> open = new ConcurrentHashMap<>();

    void add(long token, int messages) {
        // Claims that were lost are never settled.
        if (open.size() >= MOST) {
            open.clear();
        }
        if (messages > 0) {
            open.put(token, messages);
        }
    }

    boolean isNoted(long token) {
        return open.containsKey(token);
    }

    /** Tells whether so many messages are all that is open of a claim. */
    boolean isRest(long token, int messages) {
        return open.getOrDefault(token, Integer.MAX_VALUE) <= messages;
    }

    void settled(long token, int messages) {
        open.computeIfPresent(token, (key, left) -> left <= messages ? null : left - messages);
    }

    void remove(long token) {
        open.remove(token);
    }
}
