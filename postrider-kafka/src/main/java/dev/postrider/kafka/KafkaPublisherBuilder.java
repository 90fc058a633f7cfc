package dev.postrider.kafka;

import dev.postrider.publish.NameTemplate;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.jspecify.annotations.Nullable;

/** Configures a {@link KafkaPublisher}. Not thread-safe. */
public final class KafkaPublisherBuilder {

    private static final Duration SHORTEST_ANSWER = Duration.ofSeconds(1);

    private final Map<String, Object> settings;
    private NameTemplate topic = NameTemplate.of("{topic}");
    private boolean plaintextAllowed;
    private Duration answerWithin = Duration.ofSeconds(9);

    private @Nullable URI cloudEventsSource;

    private @Nullable String idPrefix;

    KafkaPublisherBuilder(Map<String, Object> settings) {
        this.settings = new HashMap<>(settings);
    }

    /** Sets one of the producer's own settings, for example {@code compression.type}. */
    public KafkaPublisherBuilder property(String name, Object value) {
        settings.put(Objects.requireNonNull(name, "name"), Objects.requireNonNull(value, name));
        return this;
    }

    /**
     * Makes the name of Kafka's topic from a message, as {@link NameTemplate} describes. Default {@code {topic}}.
     *
     * @throws IllegalArgumentException if the template is blank, has a stray brace or names an unknown field
     */
    public KafkaPublisherBuilder topic(String template) {
        this.topic = NameTemplate.of(template);
        return this;
    }

    /** Sends messages as CloudEvents in binary mode from this source. Default off. */
    public KafkaPublisherBuilder cloudEvents(URI source) {
        if (source.toString().isEmpty()) {
            throw new IllegalArgumentException("source must not be empty");
        }
        this.cloudEventsSource = source;
        return this;
    }

    /**
     * Sends each wave's part of a shard as one transaction, with the transactional id {@code idPrefix-shard}. A relay
     * that lost a shard is thereby fenced by the broker: consumers that read committed records see nothing it sends
     * later. There is one producer per shard, because relays own whole shards: a producer for several would let two
     * healthy relays fence each other. All relays of an outbox need the same prefix, and no other outbox may have it.
     * Needs brokers from 4.0 on, where a late answer of one transaction cannot end the next one (KIP-890). Default off.
     */
    public KafkaPublisherBuilder transactional(String prefix) {
        if (!prefix.matches("[A-Za-z0-9._-]{1,200}")) {
            throw new IllegalArgumentException(
                    "idPrefix must be 1 to 200 letters, digits, dots, dashes or underscores but was '%s'"
                            .formatted(prefix));
        }
        this.idPrefix = prefix;
        return this;
    }

    /** Whether a broker on another machine may be reached without encryption. Default false. */
    public KafkaPublisherBuilder allowPlaintext(boolean allowed) {
        this.plaintextAllowed = allowed;
        return this;
    }

    /**
     * How long a message may be without an answer until it gets <em>unavailable</em>. Keep it below the relay's
     * {@code publishTimeout}, which counts silence against the message. Default 9 s, at least 1 s.
     */
    public KafkaPublisherBuilder answerWithin(Duration duration) {
        if (duration.compareTo(SHORTEST_ANSWER) < 0) {
            throw new IllegalArgumentException(
                    "answerWithin must be at least %s but was %s".formatted(SHORTEST_ANSWER, duration));
        }
        this.answerWithin = duration;
        return this;
    }

    /**
     * Builds the publisher. It connects with the first message: a broker that is away is no reason not to start.
     *
     * @throws IllegalArgumentException naming the setting that contradicts a promise or that Kafka refuses
     */
    public KafkaPublisher build() {
        ProducerConfig config = ProducerSettings.checked(settings, idPrefix != null, answerWithin);
        PlaintextRule.check(config, plaintextAllowed);
        return new KafkaPublisher(config, new Records(topic, cloudEventsSource), answerWithin, idPrefix);
    }
}
