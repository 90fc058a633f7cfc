package dev.postrider.kafka;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Warns once of each topic on which an acked message can be lost or a limit cannot be read. Thread-safe. */
final class TopicWarnings {

    // A template may make many topics, and all of them tend to be made alike.
    static final int MOST = 100;

    private static final Logger log = LoggerFactory.getLogger(TopicWarnings.class);

    private final Map<String, String> weak = new ConcurrentHashMap<>();
    private final Set<String> unreadable = ConcurrentHashMap.newKeySet();

    /** Looks at replication; the configuration is null if it could not be read. */
    void check(TopicDescription description, @Nullable Config config) {
        int replicas = description.partitions().stream()
                .mapToInt(partition -> partition.replicas().size())
                .min()
                .orElse(0);
        if (replicas == 1) {
            warn(
                    description.name(),
                    "Topic %s has one replica: a message that was acked is lost together with its broker. Use a"
                            + " replication factor of 3 with min.insync.replicas 2");
        } else if (config != null && minInSync(config) == 1) {
            warn(
                    description.name(),
                    "Topic %s has min.insync.replicas 1: a message may be acked by a single broker and lost with it. Set"
                            + " min.insync.replicas to 2");
        }
    }

    private void warn(String topic, String text) {
        if (weak.size() < MOST && weak.putIfAbsent(topic, text.formatted(topic)) == null) {
            log.warn("{}", weak.get(topic));
        }
    }

    /** Returns the warnings about replication so far. */
    List<String> texts() {
        return List.copyOf(weak.values());
    }

    /** Reports that a configuration could not be read, unless the next attempt may succeed. */
    void unreadable(String topic, Throwable error) {
        if (KafkaErrors.isPassing(error)) {
            log.debug("Could not read the configuration of topic {}: {}", topic, KafkaErrors.text(error));
        } else if (first(unreadable, topic)) {
            log.warn(
                    "Could not read max.message.bytes of topic {}: {}keep batch.size at or below it ({})",
                    topic,
                    KafkaErrors.isCausedBy(error, AuthorizationException.class) ? "grant DESCRIBE_CONFIGS, or " : "",
                    KafkaErrors.text(error));
        }
    }

    private static boolean first(Set<String> topics, String topic) {
        return topics.size() < MOST && topics.add(topic);
    }

    private static int minInSync(Config config) {
        ConfigEntry entry = config.get(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG);
        return entry == null || entry.value() == null ? 0 : Integer.parseInt(entry.value());
    }
}
