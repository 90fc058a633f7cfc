package dev.postrider.server.dev.broker;

import dev.postrider.OutboxMessage;

/** The check of payloads that tells a poison message. */
public final class JsonShape {

    private JsonShape() {}

    /** Returns whether a payload that calls itself JSON is an object from the first brace to the last. */
    public static boolean fits(OutboxMessage message) {
        if (!message.contentType().startsWith("application/json") || message.payloadSize() == 0) {
            return true;
        }
        byte[] payload = message.payload();
        int first = 0;
        int last = payload.length - 1;
        while (first < last && Character.isWhitespace(payload[first])) {
            first++;
        }
        while (last > first && Character.isWhitespace(payload[last])) {
            last--;
        }
        return (payload[first] == '{' && payload[last] == '}') || (payload[first] == '[' && payload[last] == ']');
    }
}
