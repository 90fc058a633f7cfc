package dev.postrider.kafka;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The user's settings, checked, with what the promises need and defaults that fit an inbox. */
final class KafkaConsumerSettings {

    private static final Map<String, String> REQUIRED = Map.of(
            ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
            "false",
            ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG,
            ByteArrayDeserializer.class.getName(),
            ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG,
            ByteArrayDeserializer.class.getName());

    // A new group must not skip what was sent before it came, nor read what was never committed.
    private static final Map<String, Object> DEFAULTS = Map.of(
            ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
            "earliest",
            ConsumerConfig.ISOLATION_LEVEL_CONFIG,
            "read_committed",
            ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
            false);

    private KafkaConsumerSettings() {}

    /**
     * Returns the settings of a consumer.
     *
     * @throws IllegalArgumentException naming the setting that contradicts a promise or that Kafka refuses
     */
    static ConsumerConfig checked(Map<String, Object> user, String consumer) {
        REQUIRED.forEach((name, required) -> {
            String value = text(user.getOrDefault(name, required));
            if (!value.equalsIgnoreCase(required)) {
                throw new IllegalArgumentException(
                        "%s must be %s but was '%s': leave it out".formatted(name, required, value));
            }
        });
        Object identification = user.get(SslConfigs.SSL_ENDPOINT_IDENTIFICATION_ALGORITHM_CONFIG);
        if (identification != null && text(identification).isBlank()) {
            throw new IllegalArgumentException("ssl.endpoint.identification.algorithm must not be empty:"
                    + " any server with any certificate could pose as the broker");
        }
        Map<String, Object> all = new HashMap<>(DEFAULTS);
        all.put(ConsumerConfig.GROUP_ID_CONFIG, consumer);
        all.put(ConsumerConfig.CLIENT_ID_CONFIG, "postrider-" + consumer.replaceAll("[^A-Za-z0-9._-]", "-"));
        all.putAll(user);
        all.putAll(REQUIRED);
        try {
            return new ConsumerConfig(all);
        } catch (ConfigException e) {
            throw new IllegalArgumentException("Kafka refuses the settings: " + e.getMessage(), e);
        }
    }

    private static String text(Object value) {
        return value instanceof Class<?> type ? type.getName() : value.toString();
    }
}
