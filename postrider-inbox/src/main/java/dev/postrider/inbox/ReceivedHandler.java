package dev.postrider.inbox;

/** What is done about a message that came from a broker. */
@FunctionalInterface
public interface ReceivedHandler {

    /** Handles the message; whatever it throws rolls everything back. */
    void handle(ReceivedMessage message, InboxTransaction transaction) throws Exception;
}
