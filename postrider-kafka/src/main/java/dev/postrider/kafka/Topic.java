package dev.postrider.kafka;

/**
 * What the broker says about a topic.
 *
 * @param maxMessageBytes the largest batch it takes; {@link Integer#MAX_VALUE} if it did not say
 */
record Topic(String name, int partitions, int maxMessageBytes) {}
