package dev.postrider.publish;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimedMessage;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The headers every publisher adds to a message. All of them are the same at each attempt, so that a repeated message
 * is byte for byte the first one.
 */
public final class MessageHeaders {

    /** The message's id, for a consumer that must not act twice. */
    public static final String ID = "id";

    /** The message's type, where the broker has no property for it. */
    public static final String TYPE = "type";

    /** The media type of the payload, where the broker has no property for it. */
    public static final String CONTENT_TYPE = "content-type";

    /** The message's key, where the broker does not carry it itself. */
    public static final String KEY = "postrider-key";

    /** The namespace of the topic, unless it is {@value OutboxMessage#DEFAULT_NAMESPACE}. */
    public static final String NAMESPACE = "postrider-namespace";

    /** The topic, unless the broker's own topic or exchange has its name. */
    public static final String TOPIC = "postrider-topic";

    /** The version of the type, unless it is 1. */
    public static final String VERSION = "postrider-version";

    /** The row's place in the enqueue order; among the messages of one key a later one has a larger number. */
    public static final String SEQ = "postrider-seq";

    /** The tenant, if the message has one. */
    public static final String TENANT = "postrider-tenant";

    /** The dedupe key, if the message has one. */
    public static final String DEDUPE_KEY = "postrider-dedupe-key";

    private static final int FIRST_VERSION = 1;

    private MessageHeaders() {}

    /**
     * Returns the headers whose names begin with {@code postrider-}, except {@link #KEY}. Only {@link #SEQ} is always
     * there. Headers with a usual value are left out, because every byte is stored and sent many times.
     *
     * @param destination the broker's name of the place that the message goes to
     */
    public static Map<String, String> of(ClaimedMessage claimed, String destination) {
        OutboxMessage message = claimed.message();
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put(SEQ, Long.toString(claimed.seq()));
        if (!message.namespace().equals(OutboxMessage.DEFAULT_NAMESPACE)) {
            headers.put(NAMESPACE, message.namespace());
        }
        if (!message.topic().equals(destination)) {
            headers.put(TOPIC, message.topic());
        }
        if (message.version() != FIRST_VERSION) {
            headers.put(VERSION, Integer.toString(message.version()));
        }
        message.tenant().ifPresent(tenant -> headers.put(TENANT, tenant));
        message.dedupeKey().ifPresent(dedupeKey -> headers.put(DEDUPE_KEY, dedupeKey));
        return headers;
    }
}
