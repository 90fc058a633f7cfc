package dev.postrider.spi;

import dev.postrider.OutboxMessage;

/** Sends one message to a broker and waits until the broker has it. Implementations are thread-safe. */
@FunctionalInterface
public interface MessageSender {

    /**
     * Sends the message; returning normally acks it.
     *
     * @throws Exception if the message may not have arrived: the attempt has failed, and the message is sent again
     */
    void send(OutboxMessage message) throws Exception;
}
