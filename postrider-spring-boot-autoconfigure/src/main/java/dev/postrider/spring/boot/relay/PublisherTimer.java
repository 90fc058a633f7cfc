package dev.postrider.spring.boot.relay;

import dev.postrider.spi.MessagePublisher;

/** Measures how long publishers take to answer. */
@FunctionalInterface
public interface PublisherTimer {

    /** Returns a publisher that measures this one; {@code system} is kafka, rabbitmq, http, handler or custom. */
    MessagePublisher timed(String system, MessagePublisher publisher);
}
