package dev.postrider.inbox;

import dev.postrider.publish.MessageHeaders;
import dev.postrider.publish.RejectedMessageException;
import dev.postrider.spi.ErrorText;
import dev.postrider.spi.PayloadCodec;
import dev.postrider.spi.UnknownPayloadException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A message as it came from a broker. Immutable. */
public final class ReceivedMessage {

    private final String topic;
    private final @Nullable String id;
    private final @Nullable String key;
    private final @Nullable Long sequence;
    private final @Nullable String type;
    private final @Nullable String source;
    private final Map<String, String> headers;
    private final byte[] payload;

    private ReceivedMessage(Builder builder) {
        this.topic = builder.topic;
        this.id = builder.id;
        this.key = builder.key;
        this.sequence = builder.sequence;
        this.type = builder.type;
        this.source = builder.source;
        this.headers = Map.copyOf(builder.headers);
        this.payload = builder.payload;
    }

    /** Starts a message that came from {@code topic}. */
    public static Builder from(String topic) {
        return new Builder(topic);
    }

    /** Where it came from, without the broker's own division, such as a partition. */
    public String topic() {
        return topic;
    }

    /** Identifies the message; the same at each redelivery. */
    public Optional<String> id() {
        return Optional.ofNullable(id);
    }

    /** The order group. */
    public Optional<String> key() {
        return Optional.ofNullable(key);
    }

    /** Its place among the messages of its key: a later one has a larger number. */
    public OptionalLong sequence() {
        return sequence == null ? OptionalLong.empty() : OptionalLong.of(sequence);
    }

    /** The stable logical name of what the payload says; never a class to load. */
    public Optional<String> type() {
        return Optional.ofNullable(type);
    }

    /** Where exactly it was read, for a person who looks for it, for example {@code orders-0@42}. */
    public Optional<String> source() {
        return Optional.ofNullable(source);
    }

    /** What the broker carried beside the payload. */
    public Map<String, String> headers() {
        return headers;
    }

    /** A copy of the payload. */
    public byte[] payload() {
        return payload.clone();
    }

    /**
     * Returns what the payload says, by the type and version that came with it.
     *
     * @throws UnknownPayloadException if this process does not know the type in this version; another may
     * @throws RejectedMessageException if there is no type, or no process can read the payload as this type
     * @throws IllegalArgumentException if the payload is no {@code as}
     */
    public <T> T payload(PayloadCodec codec, Class<T> as) {
        String said = type().orElseThrow(() -> new RejectedMessageException("The message names no type"));
        return codec.decode(said, version(), payload, as);
    }

    private int version() {
        String said = headers.getOrDefault(MessageHeaders.VERSION, "1");
        try {
            return Integer.parseInt(said);
        } catch (NumberFormatException e) {
            throw new RejectedMessageException(
                    "The version '%s' of the payload is no number".formatted(ErrorText.clean(said)), e);
        }
    }

    /** Names the message without its payload and headers, which may be confidential. */
    @Override
    public String toString() {
        return "ReceivedMessage[%s %s type=%s key=%s from %s, %d bytes]"
                .formatted(id, topic, type, key, source, payload.length);
    }

    /** Collects the parts of a {@link ReceivedMessage}; only the topic is required. Not thread-safe. */
    public static final class Builder {

        private final String topic;
        private @Nullable String id;
        private @Nullable String key;
        private @Nullable Long sequence;
        private @Nullable String type;
        private @Nullable String source;
        private final Map<String, String> headers = new LinkedHashMap<>();
        private byte[] payload = {};

        private Builder(String topic) {
            if (topic.isEmpty() || topic.length() > MessageNames.MAX_TOPIC) {
                throw new IllegalArgumentException("topic must have 1 to %d characters but has %d"
                        .formatted(MessageNames.MAX_TOPIC, topic.length()));
            }
            this.topic = topic;
        }

        /** Sets the id. A message without one is parked. */
        public Builder id(@Nullable String value) {
            this.id = value;
            return this;
        }

        /** Sets the order group. */
        public Builder key(@Nullable String value) {
            this.key = value;
            return this;
        }

        /** Sets the place among the messages of its key. */
        public Builder sequence(@Nullable Long value) {
            this.sequence = value;
            return this;
        }

        /** Sets the logical name of what the payload says. */
        public Builder type(@Nullable String value) {
            this.type = value;
            return this;
        }

        /** Sets where exactly it was read. */
        public Builder source(@Nullable String value) {
            this.source = value;
            return this;
        }

        /** Adds a header. */
        public Builder header(String name, String value) {
            headers.put(Objects.requireNonNull(name, "name"), Objects.requireNonNull(value, "value"));
            return this;
        }

        /** Adds headers. */
        public Builder headers(Map<String, String> values) {
            values.forEach(this::header);
            return this;
        }

        /** Sets the payload. Default: empty. */
        public Builder payload(byte[] value) {
            this.payload = value.clone();
            return this;
        }

        /** Builds the message. */
        public ReceivedMessage build() {
            return new ReceivedMessage(this);
        }
    }
}
