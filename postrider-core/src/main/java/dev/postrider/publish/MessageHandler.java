package dev.postrider.publish;

/**
 * Acts on messages in this JVM. Two messages of one key are never handled at the same time; messages of different keys
 * are, so implementations are thread-safe. Every message may come more than once and always has the same id.
 */
@FunctionalInterface
public interface MessageHandler {

    /**
     * Handles one message; returning normally acks it.
     *
     * @throws RejectedMessageException if the message can never be handled: it is dead at once
     * @throws Exception if the message failed: it is tried again later, unless {@code rejectIf} or
     *     {@code unavailableIf} of the {@link HandlerPublisher} matches the exception
     */
    void handle(Delivery delivery) throws Exception;
}
