package dev.postrider.benchmarks.contest.arena;

import java.time.Duration;

/** What messages are delivered to. */
public enum SinkKind {
    /** Nothing, called in whatever way is cheapest for the contender. */
    NOOP,
    /** A handler of the application that does nothing. */
    HANDLER,
    /** A handler of the application that takes a millisecond. */
    WORK,
    /** A Kafka topic. */
    KAFKA,
    /** A RabbitMQ exchange with one queue. */
    RABBITMQ;

    public Sink open(String broker) throws Exception {
        return switch (this) {
            case NOOP, HANDLER -> new NoopSink(Duration.ZERO);
            case WORK -> new NoopSink(Duration.ofMillis(1));
            case KAFKA -> new KafkaSink(broker);
            case RABBITMQ -> new RabbitSink(broker);
        };
    }
}
