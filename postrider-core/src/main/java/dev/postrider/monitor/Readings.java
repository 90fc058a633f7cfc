package dev.postrider.monitor;

import dev.postrider.admin.OutboxStats;
import dev.postrider.spi.ErrorText;
import dev.postrider.spi.TopicName;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of a monitor's last check.
 *
 * @param stats counts of the outbox; null if it could not be read
 * @param closedTopics topics that the watched relay cannot reach; null if its health is unknown
 */
record Readings(@Nullable OutboxStats stats, @Nullable List<TopicName> closedTopics) {

    private static final int SHOWN_TOPICS = 10;

    static final Readings NONE = new Readings(null, null);

    /** Returns the number of a condition that is read from the outbox or the relay's health; NaN if it is unknown. */
    double of(AlertCondition condition) {
        if (condition == AlertCondition.TOPIC_CLOSED) {
            return closedTopics == null ? Double.NaN : closedTopics.size();
        }
        if (condition == AlertCondition.STORE_UNREACHABLE) {
            return stats == null ? 1 : 0;
        }
        if (stats == null) {
            return Double.NaN;
        }
        return switch (condition) {
            case PENDING -> stats.pending();
            case DEAD -> stats.dead();
            case OLDEST_AGE -> stats.oldestPending().toSeconds();
            case BLOCKED_KEY -> stats.blockedKeys();
            case NO_RELAY -> stats.relays() == 0 ? 1 : 0;
            case FAILED, INTEGRITY, STALLED, TOPIC_CLOSED, STORE_UNREACHABLE -> Double.NaN;
        };
    }

    Map<String, String> details() {
        Map<String, String> details = new LinkedHashMap<>();
        OutboxStats seen = stats;
        if (seen != null) {
            details.put("pending", capped(seen.pending(), seen));
            details.put("waiting", capped(seen.waiting(), seen));
            details.put("dead", capped(seen.dead(), seen));
            details.put("oldest pending", seen.oldestPending().toSeconds() + " s");
            details.put("blocked keys", Integer.toString(seen.blockedKeys()));
            details.put("relays alive", Integer.toString(seen.relays()));
        }
        List<TopicName> closed = closedTopics;
        if (closed != null && !closed.isEmpty()) {
            details.put("topics out of reach", names(closed));
        }
        return details;
    }

    private static String capped(long count, OutboxStats stats) {
        return count >= stats.cap() ? "at least " + count : Long.toString(count);
    }

    private static String names(List<TopicName> topics) {
        String shown = topics.stream()
                .limit(SHOWN_TOPICS)
                .map(topic -> ErrorText.clean(topic.toString()))
                .collect(Collectors.joining(", "));
        return topics.size() > SHOWN_TOPICS ? shown + " and %d more".formatted(topics.size() - SHOWN_TOPICS) : shown;
    }
}
