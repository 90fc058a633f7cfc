package dev.postrider.cli.link;

/**
 * The answer to a request.
 *
 * @param status an HTTP status
 * @param contentType the media type of the body
 * @param body text, usually JSON
 */
public record LinkAnswer(int status, String contentType, String body) {

    /** Returns whether the request was done. */
    public boolean done() {
        return status >= 200 && status < 300;
    }
}
