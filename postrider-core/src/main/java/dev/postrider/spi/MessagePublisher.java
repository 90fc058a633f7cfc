package dev.postrider.spi;

import java.util.List;

/** Sends messages to a broker. Implementations are thread-safe. */
public interface MessagePublisher extends AutoCloseable {

    /**
     * Sends every message of the wave and arranges for one answer each. A wave holds at most one message per key unless
     * the relay was told that the key's order may be given up. An exception counts as
     * {@link PublishResult.Kind#UNAVAILABLE} for all messages of the wave that have no answer yet.
     */
    void publish(List<ClaimedMessage> wave, PublishAnswers answers);

    @Override
    default void close() {}
}
