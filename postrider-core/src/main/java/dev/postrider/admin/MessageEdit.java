package dev.postrider.admin;

import dev.postrider.OutboxMessage;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * What a person replaces in a message; everything else stays, above all topic and key, and with them the order.
 * Immutable.
 */
public final class MessageEdit {

    private static final MessageEdit NOTHING = new MessageEdit(null, null, null, null, null);

    private final byte @Nullable [] payload;
    private final @Nullable String contentType;
    private final @Nullable Map<String, String> headers;
    private final @Nullable String type;
    private final @Nullable Integer version;

    private MessageEdit(
            byte @Nullable [] payload,
            @Nullable String contentType,
            @Nullable Map<String, String> headers,
            @Nullable String type,
            @Nullable Integer version) {
        this.payload = payload;
        this.contentType = contentType;
        this.headers = headers;
        this.type = type;
        this.version = version;
    }

    /** Returns an edit that replaces nothing yet. */
    public static MessageEdit create() {
        return NOTHING;
    }

    /** Returns this edit with another payload; the bytes are copied. */
    public MessageEdit withPayload(byte[] value) {
        return new MessageEdit(value.clone(), contentType, headers, type, version);
    }

    /** Returns this edit with this text in UTF-8 as the payload. */
    public MessageEdit withPayload(String value) {
        return new MessageEdit(value.getBytes(StandardCharsets.UTF_8), contentType, headers, type, version);
    }

    /** Returns this edit with another media type of the payload. */
    public MessageEdit withContentType(String value) {
        return new MessageEdit(payload, Objects.requireNonNull(value, "contentType"), headers, type, version);
    }

    /** Returns this edit with these headers instead of all that the message has. */
    public MessageEdit withHeaders(Map<String, String> values) {
        return new MessageEdit(payload, contentType, Map.copyOf(values), type, version);
    }

    /** Returns this edit with another type. */
    public MessageEdit withType(String value) {
        return new MessageEdit(payload, contentType, headers, Objects.requireNonNull(value, "type"), version);
    }

    /** Returns this edit with another version of the payload's shape. */
    public MessageEdit withVersion(int value) {
        return new MessageEdit(payload, contentType, headers, type, value);
    }

    /**
     * Returns the message that takes the place of {@code original}. It has a new id, also if there is a dedupe key, so
     * that no consumer takes it for the original.
     *
     * @throws IllegalArgumentException naming the field and the value that is wrong, or if nothing is replaced
     */
    public OutboxMessage applyTo(OutboxMessage original) {
        if (payload == null && contentType == null && headers == null && type == null && version == null) {
            throw new IllegalArgumentException("The edit replaces nothing; requeue the message instead");
        }
        OutboxMessage.Builder edited = OutboxMessage.to(original.topic(), type == null ? original.type() : type)
                .namespace(original.namespace())
                .key(original.key().orElse(null))
                .version(version == null ? original.version() : version)
                .tenant(original.tenant().orElse(null))
                .contentType(contentType == null ? original.contentType() : contentType)
                .headers(headers == null ? original.headers() : headers)
                .maxAttempts(
                        original.maxAttempts().isPresent()
                                ? Integer.valueOf(original.maxAttempts().getAsInt())
                                : null)
                .payload(payload == null ? original.payload() : payload);
        OutboxMessage checked = edited.build();
        return edited.id(checked.id())
                .dedupeKey(original.dedupeKey().orElse(null))
                .restore();
    }

    /** Names what is replaced, without the payload, which may be confidential. */
    @Override
    public String toString() {
        StringJoiner parts = new StringJoiner(", ", "MessageEdit[", "]");
        if (payload != null) {
            parts.add("payload of %d bytes".formatted(payload.length));
        }
        if (contentType != null) {
            parts.add("contentType=" + contentType);
        }
        if (headers != null) {
            parts.add("%d headers".formatted(headers.size()));
        }
        if (type != null) {
            parts.add("type=" + type);
        }
        if (version != null) {
            parts.add("version=" + version);
        }
        return parts.toString();
    }
}
