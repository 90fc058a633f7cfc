package dev.postrider.spring.boot.relay;

/** The relay has no publisher, or no clear one. */
final class PublisherException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    private final String action;

    PublisherException(String message, String action) {
        super(message);
        this.action = action;
    }

    String action() {
        return action;
    }
}
