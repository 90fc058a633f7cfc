package dev.postrider.admin;

import dev.postrider.spi.TopicName;

/**
 * How many messages of a topic were counted.
 *
 * @param topic where they go
 * @param pending can be delivered at once or are claimed
 * @param waiting wait for a retry, a delay or an earlier message of their key
 * @param dead wait for a person
 */
public record TopicFigures(TopicName topic, long pending, long waiting, long dead) {}
