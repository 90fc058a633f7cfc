package dev.postrider.admin;

import dev.postrider.spi.TopicName;
import java.time.Instant;

/**
 * A topic that a relay cannot reach. Its messages stay PENDING without an attempt and without an error of their own.
 *
 * @param topic the topic
 * @param relay the relay that cannot reach it
 * @param since when it was found out of reach
 * @param error what the publisher said last
 */
public record ClosedTopic(TopicName topic, String relay, Instant since, String error) {}
