package dev.postrider.spi;

import java.time.Duration;

/**
 * A topic that a relay cannot reach: its messages wait, and no attempt is counted.
 *
 * @param topic the topic
 * @param closedFor how long the topic has been out of reach
 * @param error what the publisher said last, free of payload
 */
public record ClosedGate(TopicName topic, Duration closedFor, String error) {}
