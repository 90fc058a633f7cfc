package dev.postrider.spring.boot.relay;

import dev.postrider.spring.boot.PostriderProperties;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which settings of a topic belong to which publisher. */
final class TopicSettings {

    private TopicSettings() {}

    /** Returns the publisher of every setting that the topic has. */
    static Map<String, String> publishers(PostriderProperties.Topic topic) {
        Map<String, String> publishers = new LinkedHashMap<>();
        put(publishers, "url", topic.url(), "http");
        put(publishers, "exchange", topic.exchange(), "rabbitmq");
        put(publishers, "routing-key", topic.routingKey(), "rabbitmq");
        put(publishers, "topic", topic.topic(), "kafka");
        return publishers;
    }

    private static void put(Map<String, String> publishers, String setting, @Nullable String value, String publisher) {
        if (value != null) {
            publishers.put(setting, publisher);
        }
    }

    /**
     * Refuses settings that the publisher of the topic does not look at.
     *
     * @throws PublisherException naming the setting
     */
    static void requireFit(String pattern, String publisher, PostriderProperties.Topic topic) {
        publishers(topic).forEach((setting, owner) -> {
            if (!owner.equals(publisher)) {
                throw new PublisherException(
                        "postrider.topics.%s.%s belongs to the publisher %s, but the topic goes to %s"
                                .formatted(pattern, setting, owner, publisher),
                        "Remove postrider.topics.%s.%s, or set postrider.topics.%s.publisher=%s"
                                .formatted(pattern, setting, pattern, owner));
            }
        });
    }
}
