package dev.postrider.spring.boot.inbox;

/** An {@code @InboxListener} method cannot receive. */
final class ListenerException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    private final String action;

    ListenerException(String message, String action) {
        super(message);
        this.action = action;
    }

    String action() {
        return action;
    }
}
