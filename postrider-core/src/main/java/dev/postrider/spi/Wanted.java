package dev.postrider.spi;

import java.util.Set;

/**
 * What operators want of one relay, as it was when the relay renewed its life.
 *
 * @param mode what it is to do
 * @param pausedTopics the topics that no relay may fetch or send
 */
public record Wanted(RelayMode mode, Set<TopicName> pausedTopics) {

    /** Nobody wants anything but delivery. */
    public static final Wanted NOTHING_ELSE = new Wanted(RelayMode.RUN, Set.of());

    /** Copies the topics. */
    public Wanted {
        pausedTopics = Set.copyOf(pausedTopics);
    }
}
