package dev.postrider.console;

import dev.postrider.spi.TopicName;
import java.util.Optional;

/** Asks a broker whether messages of a topic could be sent now, without sending one. Thread-safe. */
@FunctionalInterface
public interface TopicProbe {

    /**
     * Asks within a few seconds.
     *
     * @return what is wrong, without secrets; empty if the topic can be reached
     */
    Optional<String> problem(TopicName topic);
}
