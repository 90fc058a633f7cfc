package dev.postrider.server.dev.shop;

/** The demo shop could not do what it was asked for. */
final class ShopException extends RuntimeException {

    ShopException(String message, Throwable cause) {
        super(message, cause);
    }
}
