package dev.postrider.kafka;

import java.util.Set;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.RoundRobinPartitioner;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All messages of a key go to one partition, or their order is lost. */
final class PartitionerRule {

    private static final Logger log = LoggerFactory.getLogger(PartitionerRule.class);

    private static final String CONTRACT =
            "messages of one key would go to several partitions, where their order is lost";

    // By name, because clients from 4.0 on do not have them any more.
    private static final String DEFAULT = "org.apache.kafka.clients.producer.internals.DefaultPartitioner";
    private static final Set<String> KEYLESS = Set.of("org.apache.kafka.clients.producer.UniformStickyPartitioner");

    private PartitionerRule() {}

    static void check(ProducerConfig config) {
        if (config.getBoolean(ProducerConfig.PARTITIONER_IGNORE_KEYS_CONFIG)) {
            throw new IllegalArgumentException("partitioner.ignore.keys must not be true: " + CONTRACT);
        }
        @Nullable Class<?> partitioner = config.getClass(ProducerConfig.PARTITIONER_CLASS_CONFIG);
        if (partitioner == null || partitioner.getName().equals(DEFAULT)) {
            return;
        }
        if (RoundRobinPartitioner.class.isAssignableFrom(partitioner) || KEYLESS.contains(partitioner.getName())) {
            throw new IllegalArgumentException(
                    "partitioner.class must not be %s: %s".formatted(partitioner.getName(), CONTRACT));
        }
        log.warn(
                "partitioner.class is {}: order per key holds only if it sends all messages of a key to one partition",
                partitioner.getName());
    }
}
