package dev.postrider.kafka;

import dev.postrider.inbox.Inbox;
import dev.postrider.inbox.consumer.ConsumerHealth;
import dev.postrider.inbox.consumer.ConsumerLoops;
import dev.postrider.inbox.consumer.ConsumerSettings;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Hands the records of topics to an {@link Inbox} and commits their offsets afterwards: each message has exactly one
 * effect in the database, however often it comes.
 *
 * <p>Records of a partition are handled in their order. One that fails is kept and tried again after a while, until it
 * is handled or the inbox parks it; its partition is paused meanwhile, others go on, and the group hears from this
 * member all the time. What a rebalance takes away is dropped and comes to the new owner. Thread-safe.
 */
public final class KafkaInboxConsumer implements AutoCloseable {

    private final ConsumerLoops<ConsumerRecord<byte[], byte[]>> loops;

    KafkaInboxConsumer(ConsumerSettings common, ConsumerConfig config, KafkaSession.Reading reading) {
        this.loops = new ConsumerLoops<>(common, KafkaSession::partition, number -> lanes -> {
            KafkaConsumer<byte[], byte[]> client = new KafkaConsumer<>(
                    numbered(config.originals(), common.threads(), number),
                    new ByteArrayDeserializer(),
                    new ByteArrayDeserializer());
            return new KafkaSession(client, reading, lanes);
        });
    }

    // Members of one group need names that differ.
    private static Map<String, Object> numbered(Map<String, Object> settings, int threads, int number) {
        Map<String, Object> own = new HashMap<>(settings);
        own.computeIfPresent(ConsumerConfig.CLIENT_ID_CONFIG, (name, id) -> id + "-" + number);
        if (threads > 1) {
            own.computeIfPresent(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, (name, id) -> id + "-" + number);
        }
        return own;
    }

    /**
     * Starts configuring a consumer.
     *
     * @param consumer its name in the inbox, and its group unless {@code groupId} says otherwise
     * @param bootstrapServers {@code host:port} separated by commas
     */
    public static KafkaInboxConsumerBuilder builder(Inbox inbox, String consumer, String bootstrapServers) {
        return builder(inbox, consumer, Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers));
    }

    /**
     * Starts configuring a consumer with the settings of a Kafka consumer.
     *
     * @param consumer its name in the inbox, and its group unless {@code group.id} or {@code groupId} says otherwise
     */
    public static KafkaInboxConsumerBuilder builder(Inbox inbox, String consumer, Map<String, ?> consumerSettings) {
        return new KafkaInboxConsumerBuilder(new ConsumerSettings(inbox, consumer), Map.copyOf(consumerSettings));
    }

    /**
     * Starts to receive. A broker that is away is no reason not to start.
     *
     * @throws IllegalStateException if it was started or closed before
     */
    public KafkaInboxConsumer start() {
        loops.start();
        return this;
    }

    /** Says how the consumer is. */
    public ConsumerHealth health() {
        return loops.health();
    }

    /** Lets the handler under way end, commits the offsets of what is done, and leaves the group. */
    @Override
    public void close() {
        loops.close();
    }
}
