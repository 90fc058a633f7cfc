package dev.postrider.services;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;

/**
 * How a Kafka broker is set up.
 *
 * @param autoCreateTopics whether a topic comes into being when somebody asks for it
 * @param advertisedPort the port that clients are told to connect to, for a {@link TcpProxy} in front of the broker
 * @param settings further settings under the broker's own names; they win over all others
 */
public record KafkaOptions(boolean autoCreateTopics, OptionalInt advertisedPort, Map<String, String> settings) {

    public KafkaOptions {
        settings = Map.copyOf(settings);
    }

    /** Topics have to be created, clients connect directly, no further settings. */
    public static KafkaOptions defaults() {
        return new KafkaOptions(false, OptionalInt.empty(), Map.of());
    }

    public KafkaOptions withAutoCreateTopics(boolean enabled) {
        return new KafkaOptions(enabled, advertisedPort, settings);
    }

    public KafkaOptions withAdvertisedPort(int port) {
        return new KafkaOptions(autoCreateTopics, OptionalInt.of(port), settings);
    }

    /** Adds one setting, for example {@code message.max.bytes}. */
    public KafkaOptions withSetting(String name, String value) {
        Map<String, String> merged = new LinkedHashMap<>(settings);
        merged.put(name, value);
        return new KafkaOptions(autoCreateTopics, advertisedPort, merged);
    }
}
