package dev.postrider.console;

import java.util.Objects;

/**
 * The answer to a {@link ConsoleRequest}.
 *
 * @param status an HTTP status
 * @param contentType the media type of the body
 * @param body text, usually JSON; empty if there is none
 */
public record ConsoleResponse(int status, String contentType, String body) {

    /** The media type of an answer. */
    public static final String JSON = "application/json";

    /** The media type of an error, RFC 9457. */
    public static final String PROBLEM = "application/problem+json";

    /** Refuses an answer without a body or a media type. */
    public ConsoleResponse {
        Objects.requireNonNull(contentType, "contentType");
        Objects.requireNonNull(body, "body");
    }
}
