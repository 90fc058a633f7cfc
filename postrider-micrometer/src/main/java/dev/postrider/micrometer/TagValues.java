package dev.postrider.micrometer;

import dev.postrider.spi.ErrorText;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Values of a tag that come from rows, such as topics: however many somebody makes up, only so many become time series,
 * the rest are {@code other}. Thread-safe.
 */
final class TagValues<T> {

    static final String OTHER = "other";
    private static final int MAX_LENGTH = 200;

    private final int most;
    private final Map<T, String> known = new ConcurrentHashMap<>();

    TagValues(int most) {
        this.most = most;
    }

    String of(T name) {
        // Read before the value: who is not known when there is no room will never be, and need not wait for the lock.
        boolean full = known.size() >= most;
        String value = known.get(name);
        if (value != null) {
            return value;
        }
        return full ? OTHER : admit(name);
    }

    private synchronized String admit(T name) {
        if (!known.containsKey(name) && known.size() >= most) {
            return OTHER;
        }
        return known.computeIfAbsent(name, each -> ErrorText.clean(each.toString(), MAX_LENGTH));
    }
}
