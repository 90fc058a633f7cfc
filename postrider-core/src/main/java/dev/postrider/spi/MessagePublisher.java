package dev.postrider.spi;

import java.util.List;

/** Sends messages to a broker. Implementations are thread-safe. */
public interface MessagePublisher extends AutoCloseable {

    /**
     * Sends every message of the wave and arranges for one answer each. A wave holds at most one message per key unless
     * the relay was told that the key's order may be given up.
     *
     * <p>If this method throws, messages of the wave without an answer are released and sent again, each in a wave of
     * its own. A message whose wave of one throws has {@linkplain PublishResult.Kind#FAILED failed}: the attempt counts
     * and the error is recorded with it. The same holds for an {@link Error}.
     */
    void publish(List<ClaimedMessage> wave, PublishAnswers answers);

    /**
     * Returns a publisher that sends the messages one after the other, for a client with one call per message. A
     * message is acked when {@code sender} returns, and has failed when it throws. A sender that waits for the broker
     * limits the relay to one message per round trip.
     */
    static MessagePublisher each(MessageSender sender) {
        return new OneByOne(sender);
    }

    /**
     * Returns what this publisher has found out about its broker that limits a promise, such as a topic with one
     * replica: each in one sentence, without secrets.
     */
    default List<String> warnings() {
        return List.of();
    }

    /** Returns how often a thread of this publisher ended by an error and was started again. */
    default long restarts() {
        return 0;
    }

    @Override
    default void close() {}
}
