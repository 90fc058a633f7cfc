package dev.postrider.kafka;

import dev.postrider.inbox.InboxBatchHandler;
import dev.postrider.inbox.ReceivedHandler;
import dev.postrider.inbox.consumer.ConsumerSettings;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** Configures a {@link KafkaInboxConsumer}. Topics and a handler are required. Not thread-safe. */
public final class KafkaInboxConsumerBuilder {

    private final ConsumerSettings common;
    private final Map<String, Object> settings;
    private List<String> topics = List.of();
    private Function<ConsumerRecord<byte[], byte[]>, @Nullable String> idFrom = unidentified -> null;
    private boolean plaintextAllowed;

    KafkaInboxConsumerBuilder(ConsumerSettings common, Map<String, Object> settings) {
        this.common = common;
        this.settings = new HashMap<>(settings);
    }

    /** Sets one of the Kafka consumer's own settings, for example {@code max.poll.records}. */
    public KafkaInboxConsumerBuilder property(String name, Object value) {
        settings.put(Objects.requireNonNull(name, "name"), Objects.requireNonNull(value, name));
        return this;
    }

    /** The group whose members share the partitions. Default: the consumer's name in the inbox. */
    public KafkaInboxConsumerBuilder groupId(String group) {
        if (group.isBlank()) {
            throw new IllegalArgumentException("groupId must not be blank");
        }
        return property(ConsumerConfig.GROUP_ID_CONFIG, group);
    }

    /** The topics to receive. */
    public KafkaInboxConsumerBuilder topics(String... names) {
        return topics(Arrays.asList(names));
    }

    /** The topics to receive. */
    public KafkaInboxConsumerBuilder topics(Collection<String> names) {
        if (names.isEmpty() || names.stream().anyMatch(String::isBlank)) {
            throw new IllegalArgumentException("topics must be one or more names but were " + names);
        }
        this.topics = List.copyOf(names);
        return this;
    }

    /** What is done about each message, in a transaction of its own. */
    public KafkaInboxConsumerBuilder handler(ReceivedHandler handler) {
        common.handler(handler);
        return this;
    }

    /**
     * What is done about up to {@code size} messages in one transaction. If that fails they are handled one by one, so
     * that a bad one holds up its own partition only.
     */
    public KafkaInboxConsumerBuilder batchHandler(int size, InboxBatchHandler handler) {
        common.batchHandler(size, handler);
        return this;
    }

    /**
     * Where the id of a message is that has neither a header {@code id} nor {@code ce_id}; null if it has none, and it
     * is parked. It must be the same at each redelivery, and never the key. Default: none has one.
     */
    public KafkaInboxConsumerBuilder idFrom(Function<ConsumerRecord<byte[], byte[]>, @Nullable String> extractor) {
        this.idFrom = Objects.requireNonNull(extractor, "extractor");
        return this;
    }

    /**
     * Takes topic, partition and offset for the id of a message without one. That recognises a redelivery, but not a
     * message that its producer sent twice; and if a topic is deleted and made again, its new messages are taken for
     * the old ones.
     */
    public KafkaInboxConsumerBuilder idFromOffset() {
        return idFrom(RecordReader::source);
    }

    /** How many threads receive, each as a member of the group with partitions of its own. Default 1. */
    public KafkaInboxConsumerBuilder threads(int count) {
        common.threads(count);
        return this;
    }

    /**
     * How long a partition waits after a failure: {@code first}, then twice as long each time up to {@code max}.
     * Default 500 ms and 1 min.
     */
    public KafkaInboxConsumerBuilder backoff(Duration first, Duration max) {
        common.backoff(first, max);
        return this;
    }

    /** How often to look for messages that an operator has released. Default 5 s. */
    public KafkaInboxConsumerBuilder releasedEvery(Duration interval) {
        common.releasedEvery(interval);
        return this;
    }

    /** How long closing waits for the handler under way before it is interrupted. Default 30 s. */
    public KafkaInboxConsumerBuilder closeTimeout(Duration timeout) {
        common.closeTimeout(timeout);
        return this;
    }

    /** Whether a broker on another machine may be reached without encryption. Default false. */
    public KafkaInboxConsumerBuilder allowPlaintext(boolean allowed) {
        this.plaintextAllowed = allowed;
        return this;
    }

    /**
     * Builds the consumer; it connects when it is started.
     *
     * @throws IllegalArgumentException naming what is missing, or the setting that contradicts a promise or that Kafka
     *     refuses
     */
    public KafkaInboxConsumer build() {
        common.check();
        if (topics.isEmpty()) {
            throw new IllegalArgumentException("topics must be set");
        }
        ConsumerConfig config = KafkaConsumerSettings.checked(settings, common.consumer());
        PlaintextRule.check(config, plaintextAllowed);
        return new KafkaInboxConsumer(common, config, new KafkaSession.Reading(topics, new RecordReader(idFrom)));
    }
}
