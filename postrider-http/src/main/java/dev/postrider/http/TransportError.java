package dev.postrider.http;

import dev.postrider.spi.ErrorText;
import dev.postrider.spi.PublishResult;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import javax.net.ssl.SSLException;

/** What an exchange that broke off means: it depends on whether the receiver can have acted. */
final class TransportError {

    private TransportError() {}

    static PublishResult result(String endpoint, HttpDelivery.Phase phase, Exception error) {
        if (phase == HttpDelivery.Phase.SENT) {
            // No text of the exception: it may quote what the other side sent.
            return PublishResult.failed("%s broke off before it answered (%s); it may have acted"
                    .formatted(endpoint, error.getClass().getSimpleName()));
        }
        return PublishResult.unavailable("Could not connect to %s: %s".formatted(endpoint, reason(error)));
    }

    private static String reason(Exception error) {
        String text = error.getMessage() == null ? "" : ErrorText.clean(error.getMessage());
        if (error instanceof CheckedDns.NotAllowedException) {
            return "address not allowed: %s; allowAddresses or allowHost lets it pass".formatted(text);
        }
        if (error instanceof UnknownHostException) {
            return "the host name does not resolve";
        }
        if (error instanceof SSLException) {
            return "TLS refused: " + text;
        }
        if (error instanceof SocketTimeoutException) {
            return "timed out";
        }
        return "%s %s".formatted(error.getClass().getSimpleName(), text);
    }
}
