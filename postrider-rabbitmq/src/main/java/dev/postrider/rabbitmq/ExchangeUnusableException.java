package dev.postrider.rabbitmq;

import org.jspecify.annotations.Nullable;

/** An exchange cannot be published to; the connection is fine. The message says what to do. */
final class ExchangeUnusableException extends Exception {

    ExchangeUnusableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
