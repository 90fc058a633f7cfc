package dev.postrider.publish;

import dev.postrider.OutboxMessage;
import java.net.URI;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/** A message as a CloudEvent 1.0: the context attributes, without the prefix each protocol puts before their names. */
public final class CloudEventAttributes {

    private static final int TIME_ORDERED = 7;

    private CloudEventAttributes() {}

    /**
     * Returns the attributes; the subject is the message's key. The time is that of the id. The id of a message with a
     * dedupe key has no time, so the attribute is left out.
     */
    public static Map<String, String> of(OutboxMessage message, URI source) {
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("specversion", "1.0");
        attributes.put("id", message.id().toString());
        attributes.put("source", source.toString());
        attributes.put("type", message.type());
        message.key().ifPresent(key -> attributes.put("subject", key));
        if (message.id().version() == TIME_ORDERED) {
            attributes.put("time", time(message.id()).toString());
        }
        return attributes;
    }

    private static Instant time(UUID id) {
        return Instant.ofEpochMilli(id.getMostSignificantBits() >>> 16);
    }
}
