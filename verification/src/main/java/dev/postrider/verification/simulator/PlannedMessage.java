package dev.postrider.verification.simulator;

import dev.postrider.OutboxMessage;
import org.jspecify.annotations.Nullable;

/**
 * What the checker may know of a message.
 *
 * @param number identifies it in the history
 * @param ordered whether it has a place in the order of its key
 * @param nature what the broker makes of it
 * @param content a hash of all that a consumer sees
 */
record PlannedMessage(
        int number,
        String topic,
        @Nullable String key,
        boolean ordered,
        Nature nature,
        long content,
        OutboxMessage message) {

    /** The number of all messages that are only in the way of others; nothing is noted of them. */
    static final int FILLER = 1_000_000_000;

    /** What the broker makes of a message. */
    enum Nature {
        GOOD,
        /** Always fails. */
        FAILS,
        /** Never taken. */
        REJECTED,
        /** Its row is damaged; it must never reach the broker. */
        DAMAGED,
        /** Kills the process that publishes it. */
        KILLER
    }

    /** The number travels in the version, the one integer every part of the engine hands through untouched. */
    static int numberOf(OutboxMessage message) {
        return message.version();
    }

    static long contentOf(OutboxMessage message) {
        long hash = 0xcbf29ce484222325L;
        for (byte value : message.payload()) {
            hash = (hash ^ value) * 0x100000001b3L;
        }
        long headers = 0;
        for (var header : message.headers().entrySet()) {
            // A sum, because the order of headers is not fixed from run to run.
            headers += header.getKey().hashCode() * 0x9E3779B97F4A7C15L
                    ^ header.getValue().hashCode();
        }
        hash = (hash ^ headers) * 0x100000001b3L;
        hash = (hash ^ message.id().hashCode()) * 0x100000001b3L;
        hash = (hash ^ message.key().orElse("").hashCode()) * 0x100000001b3L;
        return (hash ^ message.topic().hashCode()) * 0x100000001b3L;
    }
}
