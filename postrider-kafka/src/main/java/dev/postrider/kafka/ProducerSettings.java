package dev.postrider.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The user's settings, checked, with what the promises need and defaults that fit a relay. */
final class ProducerSettings {

    private static final int MAX_BLOCK = 5_000;
    private static final long MIN_IDLE = Duration.ofMinutes(5).toMillis();

    private static final Map<String, String> REQUIRED = Map.of(
            ProducerConfig.ACKS_CONFIG,
            "all",
            ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
            "true",
            ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
            ByteArraySerializer.class.getName(),
            ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
            ByteArraySerializer.class.getName());

    private static final Map<String, Object> DEFAULTS = Map.of(
            ProducerConfig.CLIENT_ID_CONFIG,
            "postrider",
            ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
            8_000,
            ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
            4_000,
            ProducerConfig.SOCKET_CONNECTION_SETUP_TIMEOUT_MS_CONFIG,
            2_000L,
            ProducerConfig.SOCKET_CONNECTION_SETUP_TIMEOUT_MAX_MS_CONFIG,
            4_000L,
            ProducerConfig.LINGER_MS_CONFIG,
            0,
            ProducerConfig.BATCH_SIZE_CONFIG,
            128 * 1024,
            ProducerConfig.BUFFER_MEMORY_CONFIG,
            64L * 1024 * 1024,
            ProducerConfig.METADATA_MAX_IDLE_CONFIG,
            2 * MIN_IDLE);

    private ProducerSettings() {}

    /**
     * Returns the settings of a producer.
     *
     * @throws IllegalArgumentException naming the setting that contradicts a promise or that Kafka refuses
     */
    static ProducerConfig checked(Map<String, Object> user, boolean transactional, Duration answerWithin) {
        refuseContradictions(user);
        Map<String, Object> all = new HashMap<>(DEFAULTS);
        all.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, transactional ? MAX_BLOCK : 1_000);
        if (transactional) {
            all.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, 15_000);
        }
        all.putAll(user);
        all.putAll(REQUIRED);
        try {
            ProducerConfig config = new ProducerConfig(all);
            checkTimes(config, answerWithin);
            PartitionerRule.check(config);
            return config;
        } catch (ConfigException e) {
            throw new IllegalArgumentException("Kafka refuses the settings: " + e.getMessage(), e);
        }
    }

    /** Returns the settings of an admin client that reaches the same broker as the same user. */
    static Map<String, Object> admin(ProducerConfig producer) {
        Map<String, Object> admin = new HashMap<>(producer.originals());
        admin.keySet().retainAll(AdminClientConfig.configNames());
        admin.put(AdminClientConfig.CLIENT_ID_CONFIG, producer.getString(ProducerConfig.CLIENT_ID_CONFIG) + "-topics");
        admin.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, 3_000);
        admin.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 5_000);
        return admin;
    }

    private static void refuseContradictions(Map<String, Object> user) {
        REQUIRED.forEach((name, required) -> text(user, name)
                .filter(value -> !value.equalsIgnoreCase(required) && !isAcksAll(name, value))
                .ifPresent(value -> {
                    throw new IllegalArgumentException(
                            "%s must be %s but was '%s': leave it out".formatted(name, required, value));
                }));
        if (user.containsKey(ProducerConfig.TRANSACTIONAL_ID_CONFIG)) {
            throw new IllegalArgumentException("transactional.id must not be set: call transactional(idPrefix)");
        }
        text(user, SslConfigs.SSL_ENDPOINT_IDENTIFICATION_ALGORITHM_CONFIG)
                .filter(String::isBlank)
                .ifPresent(blank -> {
                    throw new IllegalArgumentException("ssl.endpoint.identification.algorithm must not be empty:"
                            + " any server with any certificate could pose as the broker");
                });
    }

    private static boolean isAcksAll(String name, String value) {
        return name.equals(ProducerConfig.ACKS_CONFIG) && value.equals("-1");
    }

    private static void checkTimes(ProducerConfig config, Duration answerWithin) {
        long block = config.getLong(ProducerConfig.MAX_BLOCK_MS_CONFIG);
        if (block > MAX_BLOCK) {
            throw new IllegalArgumentException(
                    "max.block.ms must be at most %d but was %d: a caller that is blocked".formatted(MAX_BLOCK, block)
                            + " holds up all topics");
        }
        int delivery = config.getInt(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG);
        if (delivery >= answerWithin.toMillis()) {
            throw new IllegalArgumentException(
                    "delivery.timeout.ms %d must be below answerWithin %s".formatted(delivery, answerWithin));
        }
        long idle = config.getLong(ProducerConfig.METADATA_MAX_IDLE_CONFIG);
        if (idle < MIN_IDLE) {
            throw new IllegalArgumentException(
                    "metadata.max.idle.ms must be at least %d but was %d".formatted(MIN_IDLE, idle));
        }
    }

    private static Optional<String> text(Map<String, Object> settings, String name) {
        Object value = settings.get(name);
        if (value instanceof Class<?> type) {
            return Optional.of(type.getName());
        }
        return Optional.ofNullable(value).map(Object::toString);
    }
}
