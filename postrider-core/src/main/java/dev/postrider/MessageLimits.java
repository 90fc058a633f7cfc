package dev.postrider;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * How large a message may be. Checked when it is enqueued, so that no relay ever meets one it cannot carry.
 *
 * <p>The default payload is below 1 MiB on purpose: a Kafka producer limits a whole record to 1,048,576 bytes by
 * default, and key and headers need their part of it.
 *
 * @param maxPayloadBytes default 1,000,000, at most 16 MiB
 * @param maxHeaders default 64
 * @param maxHeaderBytes names and values of all headers together in UTF-8, default 16 KiB
 */
public record MessageLimits(int maxPayloadBytes, int maxHeaders, int maxHeaderBytes) {

    private static final int MEBIBYTE = 1024 * 1024;
    private static final int DEFAULT_PAYLOAD = 1_000_000;
    private static final int LARGEST_PAYLOAD = 16 * MEBIBYTE;
    private static final int LARGEST_HEADERS = MEBIBYTE;

    /** Checks the limits against what the databases can hold. */
    public MessageLimits {
        if (maxPayloadBytes < 1 || maxPayloadBytes > LARGEST_PAYLOAD) {
            throw new IllegalArgumentException(
                    "maxPayloadBytes must be between 1 and %d but was %d".formatted(LARGEST_PAYLOAD, maxPayloadBytes));
        }
        if (maxHeaders < 0) {
            throw new IllegalArgumentException("maxHeaders must not be negative but was " + maxHeaders);
        }
        if (maxHeaderBytes < 0 || maxHeaderBytes > LARGEST_HEADERS) {
            throw new IllegalArgumentException(
                    "maxHeaderBytes must be between 0 and %d but was %d".formatted(LARGEST_HEADERS, maxHeaderBytes));
        }
    }

    /** Returns 1,000,000 bytes of payload, 64 headers, 16 KiB of headers. */
    public static MessageLimits defaults() {
        return new MessageLimits(DEFAULT_PAYLOAD, 64, 16 * 1024);
    }

    /** Returns these limits with another largest payload. */
    public MessageLimits withMaxPayloadBytes(int bytes) {
        return new MessageLimits(bytes, maxHeaders, maxHeaderBytes);
    }

    /**
     * Refuses a message that is too large.
     *
     * @throws IllegalArgumentException naming the message, the limit and the actual size
     */
    public void check(OutboxMessage message) {
        refuseAbove(message, "payload bytes", message.payloadSize(), maxPayloadBytes);
        refuseAbove(message, "headers", message.headers().size(), maxHeaders);
        refuseAbove(message, "header bytes", headerBytes(message.headers()), maxHeaderBytes);
    }

    private static void refuseAbove(OutboxMessage message, String what, int actual, int limit) {
        if (actual > limit) {
            throw new IllegalArgumentException("Message %s to topic %s has %d %s but at most %d are allowed"
                    .formatted(message.id(), message.topic(), actual, what, limit));
        }
    }

    private static int headerBytes(Map<String, String> headers) {
        int bytes = 0;
        for (Map.Entry<String, String> header : headers.entrySet()) {
            bytes += header.getKey().getBytes(StandardCharsets.UTF_8).length;
            bytes += header.getValue().getBytes(StandardCharsets.UTF_8).length;
        }
        return bytes;
    }
}
