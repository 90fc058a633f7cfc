package dev.postrider.micrometer;

import dev.postrider.spi.ErrorText;
import dev.postrider.spi.TopicName;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Values of the tag {@code topic}. Topics come from rows: however many somebody makes up, only so many become time
 * series, the rest are {@code other}. Thread-safe.
 */
final class TopicTags {

    static final String OTHER = "other";
    private static final int MAX_LENGTH = 200;

    private final int most;
    private final Map<TopicName, String> known = new ConcurrentHashMap<>();

    TopicTags(int most) {
        this.most = most;
    }

    String of(TopicName topic) {
        String tag = known.get(topic);
        return tag == null ? admit(topic) : tag;
    }

    private synchronized String admit(TopicName topic) {
        if (!known.containsKey(topic) && known.size() >= most) {
            return OTHER;
        }
        return known.computeIfAbsent(topic, name -> ErrorText.clean(name.toString(), MAX_LENGTH));
    }
}
