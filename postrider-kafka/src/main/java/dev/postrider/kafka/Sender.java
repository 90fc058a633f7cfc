package dev.postrider.kafka;

import java.util.List;
import java.util.concurrent.CompletionStage;

/** How messages to topics that are known to exist get to the broker. Thread-safe; no method blocks for long. */
interface Sender extends AutoCloseable {

    /** Gets ready for a topic, so that {@link #send} does not have to wait for anything. */
    CompletionStage<Void> prepare(Topic topic);

    /** Sends messages to the topic and returns those it was not ready for: the topic has to be prepared again. */
    List<Pending> send(Topic topic, List<Pending> messages);

    /** All messages of a wave that could be sent have been sent. */
    default void endWave() {}

    /** The message got no answer in time. */
    default void late(Pending message) {}

    /** Called now and then. */
    default void tidy() {}

    /** Waits a moment for the broker's answers, then gives up. */
    @Override
    void close();
}
