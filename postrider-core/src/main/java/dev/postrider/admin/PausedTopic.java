package dev.postrider.admin;

import dev.postrider.spi.TopicName;

/**
 * A topic that no relay may fetch or send until it is resumed.
 *
 * @param topic the topic
 * @param decided who wants that, and since when
 */
public record PausedTopic(TopicName topic, Decided decided) {}
