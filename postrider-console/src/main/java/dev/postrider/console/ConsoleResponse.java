package dev.postrider.console;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a {@link ConsoleRequest}.
 *
 * @param status an HTTP status
 * @param contentType the media type of the body
 * @param body text, usually JSON; empty if there is none
 * @param attachment what is sent instead of {@code body}; null if the answer is the body
 */
public record ConsoleResponse(
        int status,
        String contentType,
        String body,
        @Nullable Attachment attachment) {

    /** The media type of an answer. */
    public static final String JSON = "application/json";

    /** The media type of an error, RFC 9457. */
    public static final String PROBLEM = "application/problem+json";

    /** Refuses an answer without a body or a media type. */
    public ConsoleResponse {
        Objects.requireNonNull(contentType, "contentType");
        Objects.requireNonNull(body, "body");
    }

    /** Makes an answer of text. */
    public ConsoleResponse(int status, String contentType, String body) {
        this(status, contentType, body, null);
    }

    /** Makes an answer that is downloaded. */
    public static ConsoleResponse download(String contentType, Attachment attachment) {
        return new ConsoleResponse(200, contentType, "", Objects.requireNonNull(attachment, "attachment"));
    }
}
