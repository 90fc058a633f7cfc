package dev.postrider;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message to hand to the broker once the surrounding transaction has committed. Immutable.
 *
 * <p>Its payload is bytes: what was enqueued is what the consumer receives, to the bit.
 */
public final class OutboxMessage {

    /** The namespace of a message that names none. */
    public static final String DEFAULT_NAMESPACE = "default";

    private final UUID id;
    private final String namespace;
    private final String topic;
    private final @Nullable String key;
    private final String type;
    private final int version;
    private final @Nullable String tenant;
    private final @Nullable String dedupeKey;
    private final Map<String, String> headers;
    private final String contentType;
    private final byte[] payload;
    private final Duration deliverAfter;
    private final @Nullable Integer maxAttempts;

    private OutboxMessage(Builder builder, UUID id) {
        this.id = id;
        this.namespace = builder.namespace;
        this.topic = builder.topic;
        this.key = builder.key;
        this.type = builder.type;
        this.version = builder.version;
        this.tenant = builder.tenant;
        this.dedupeKey = builder.dedupeKey;
        this.headers = builder.headers.isEmpty() ? Map.of() : Map.copyOf(builder.headers);
        this.contentType = builder.contentType;
        this.payload = builder.payload;
        this.deliverAfter = builder.deliverAfter;
        this.maxAttempts = builder.maxAttempts;
    }

    private OutboxMessage(OutboxMessage other, Map<String, String> headers) {
        this.id = other.id;
        this.namespace = other.namespace;
        this.topic = other.topic;
        this.key = other.key;
        this.type = other.type;
        this.version = other.version;
        this.tenant = other.tenant;
        this.dedupeKey = other.dedupeKey;
        this.headers = Map.copyOf(headers);
        this.contentType = other.contentType;
        this.payload = other.payload;
        this.deliverAfter = other.deliverAfter;
        this.maxAttempts = other.maxAttempts;
    }

    /** Starts a message to {@code topic} of the logical type {@code type}, a stable name and never a class to load. */
    public static Builder to(String topic, String type) {
        return new Builder(topic, type);
    }

    /**
     * Returns a new UUIDv7, such as a message gets that is given none. For an application that makes its event, with
     * the id in it, before the message: give the message the same id with {@link Builder#id(UUID)}.
     */
    public static UUID newId() {
        return MessageIds.timeOrdered(Clock.systemUTC());
    }

    /** Identifies the message to consumers; every redelivery carries the same id. */
    public UUID id() {
        return id;
    }

    /** The module that owns the topic. */
    public String namespace() {
        return namespace;
    }

    /** Where the publisher sends it. */
    public String topic() {
        return topic;
    }

    /**
     * Messages of one topic with equal keys are delivered in the order in which they were enqueued; empty means no
     * order.
     */
    public Optional<String> key() {
        return Optional.ofNullable(key);
    }

    /** The stable logical name of what the payload says. */
    public String type() {
        return type;
    }

    /** The version of the payload's shape, 1 unless set. */
    public int version() {
        return version;
    }

    /** Whose data it is, in a system of many tenants. */
    public Optional<String> tenant() {
        return Optional.ofNullable(tenant);
    }

    /** Of all messages with one dedupe key in a topic, only the first is enqueued. */
    public Optional<String> dedupeKey() {
        return Optional.ofNullable(dedupeKey);
    }

    /** Passed to the broker unchanged. */
    public Map<String, String> headers() {
        return headers;
    }

    /** The media type of the payload. */
    public String contentType() {
        return contentType;
    }

    /** A copy of the payload. */
    public byte[] payload() {
        return payload.clone();
    }

    /** The length of the payload in bytes. */
    public int payloadSize() {
        return payload.length;
    }

    /** How long after the enqueue the first attempt may happen; zero means at once. */
    public Duration deliverAfter() {
        return deliverAfter;
    }

    /** Overrides the relay's limit of attempts for this message. */
    public OptionalInt maxAttempts() {
        return maxAttempts == null ? OptionalInt.empty() : OptionalInt.of(maxAttempts);
    }

    /**
     * Returns the same message with those of these headers whose names it does not have.
     *
     * @throws IllegalArgumentException if the name or value of a header cannot be stored
     */
    public OutboxMessage withMissingHeaders(Map<String, String> more) {
        if (headers.keySet().containsAll(more.keySet())) {
            return this;
        }
        Map<String, String> all = new LinkedHashMap<>(more);
        all.putAll(headers);
        MessageFields.headers(all);
        return new OutboxMessage(this, all);
    }

    /** Names the message without its payload, which may be confidential. */
    @Override
    public String toString() {
        return "OutboxMessage[%s %s/%s type=%s key=%s, %d bytes]"
                .formatted(id, namespace, topic, type, key, payload.length);
    }

    /** Collects the parts of an {@link OutboxMessage}; everything but topic and type has a default. */
    public static final class Builder {

        private final String topic;
        private final String type;
        private final MessageIdentity identity = new MessageIdentity();
        private String namespace = DEFAULT_NAMESPACE;
        private @Nullable String key;
        private int version = 1;
        private @Nullable String tenant;
        private @Nullable String dedupeKey;
        private final Map<String, String> headers = new LinkedHashMap<>();
        private String contentType = "application/json";
        private byte[] payload = {};
        private Duration deliverAfter = Duration.ZERO;
        private @Nullable Integer maxAttempts;

        private Builder(String topic, String type) {
            this.topic = Objects.requireNonNull(topic, "topic");
            this.type = Objects.requireNonNull(type, "type");
        }

        /**
         * Sets the id. Without it a message gets a new UUIDv7, or with a dedupe key the id that belongs to the key. A
         * second message with the same id is refused by the database.
         */
        public Builder id(UUID value) {
            identity.give(Objects.requireNonNull(value, "id"));
            return this;
        }

        /**
         * Returns the id that the message will have, for a payload that contains it. Set namespace and dedupe key
         * before; without a dedupe key every message of this builder has this id from now on. A step of a saga gives
         * its messages ids of their own.
         */
        public UUID id() {
            return identity.announce(namespace, topic, dedupeKey);
        }

        /** Sets the module that owns the topic. Default {@value OutboxMessage#DEFAULT_NAMESPACE}. */
        public Builder namespace(String value) {
            this.namespace = Objects.requireNonNull(value, "namespace");
            return this;
        }

        /** Sets the order group. */
        public Builder key(@Nullable String value) {
            this.key = value;
            return this;
        }

        /** Sets the version of the payload's shape. Default 1. */
        public Builder version(int value) {
            this.version = value;
            return this;
        }

        /** Sets whose data it is. */
        public Builder tenant(@Nullable String value) {
            this.tenant = value;
            return this;
        }

        /**
         * Makes the enqueue idempotent: of all messages of the topic with this dedupe key only the first is inserted.
         */
        public Builder dedupeKey(@Nullable String value) {
            this.dedupeKey = value;
            return this;
        }

        /** Adds a header. */
        public Builder header(String name, String value) {
            this.headers.put(Objects.requireNonNull(name, "header name"), Objects.requireNonNull(value, name));
            return this;
        }

        /** Adds all these headers. */
        public Builder headers(Map<String, String> values) {
            values.forEach(this::header);
            return this;
        }

        /** Sets the media type of the payload. Default {@code application/json}. */
        public Builder contentType(String value) {
            this.contentType = Objects.requireNonNull(value, "contentType");
            return this;
        }

        /** Sets the payload; the bytes are copied. */
        public Builder payload(byte[] value) {
            this.payload = value.clone();
            return this;
        }

        /** Sets the payload to this text in UTF-8. */
        public Builder payload(String value) {
            this.payload = value.getBytes(StandardCharsets.UTF_8);
            return this;
        }

        /**
         * Holds the first attempt back, for 100,000 days at most. A message so delayed does not hold back later
         * messages of its key.
         */
        public Builder deliverAfter(Duration value) {
            this.deliverAfter = Objects.requireNonNull(value, "deliverAfter");
            return this;
        }

        /** Overrides the relay's limit of attempts. */
        public Builder maxAttempts(@Nullable Integer value) {
            this.maxAttempts = value;
            return this;
        }

        /**
         * Builds the message.
         *
         * @throws IllegalArgumentException naming the field and the value that is wrong
         */
        public OutboxMessage build() {
            validate();
            return new OutboxMessage(this, identity.checked(namespace, topic, dedupeKey));
        }

        /**
         * Builds a message from a stored row as it is. For stores only: a row may come from another language or an
         * older version, and a relay has to carry it all the same.
         */
        public OutboxMessage restore() {
            return new OutboxMessage(this, Objects.requireNonNull(identity.given(), "id"));
        }

        private void validate() {
            MessageFields.name("topic", topic);
            MessageFields.name("type", type);
            MessageFields.name("namespace", namespace);
            MessageFields.name("contentType", contentType);
            MessageFields.optional("key", key, MessageFields.MAX_KEY);
            MessageFields.optional("tenant", tenant, MessageFields.MAX_NAME);
            MessageFields.optional("dedupeKey", dedupeKey, MessageFields.MAX_KEY);
            MessageFields.headers(headers);
            MessageFields.atLeastOne("version", version);
            MessageFields.delay(deliverAfter);
            if (maxAttempts != null) {
                MessageFields.atLeastOne("maxAttempts", maxAttempts);
            }
        }
    }
}
