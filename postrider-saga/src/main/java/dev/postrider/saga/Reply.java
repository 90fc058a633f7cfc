package dev.postrider.saga;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;

/** What another system answered to a command. Immutable. */
public final class Reply {

    private final String commandId;
    private final String type;
    private final Map<String, String> headers;
    private final byte[] payload;

    private Reply(String commandId, String type, Map<String, String> headers, byte[] payload) {
        this.commandId = commandId;
        this.type = Objects.requireNonNull(type, "type");
        this.headers = Map.copyOf(headers);
        this.payload = payload.clone();
    }

    /**
     * Returns the reply that a message is.
     *
     * @throws IllegalArgumentException if no header {@code in-reply-to} says which command it answers
     */
    public static Reply of(String type, Map<String, String> headers, byte[] payload) {
        String command = headers.get(SagaHeaders.IN_REPLY_TO);
        if (command == null) {
            throw new IllegalArgumentException("A reply needs the header '%s' but has only %s"
                    .formatted(SagaHeaders.IN_REPLY_TO, headers.keySet()));
        }
        return new Reply(command, type, headers, payload);
    }

    /** The command it answers. */
    public String commandId() {
        return commandId;
    }

    /** The logical type of the message. */
    public String type() {
        return type;
    }

    /** The headers of the message. */
    public Map<String, String> headers() {
        return headers;
    }

    /** A copy of the payload. */
    public byte[] payload() {
        return payload.clone();
    }

    /** The payload as UTF-8 text. */
    public String text() {
        return new String(payload, StandardCharsets.UTF_8);
    }

    /** Names the reply without its payload, which may be confidential. */
    @Override
    public String toString() {
        return "Reply[%s to %s, %d bytes]".formatted(type, commandId, payload.length);
    }
}
