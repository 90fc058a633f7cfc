package dev.postrider.spi;

import java.util.Set;

/**
 * Which topics a fetch reads.
 *
 * @param only true if only the named topics are read, false if all others are
 * @param names the topics
 */
public record TopicFilter(boolean only, Set<TopicName> names) {

    /** Reads every topic. */
    public static final TopicFilter ALL = new TopicFilter(false, Set.of());

    /** Copies the names. */
    public TopicFilter {
        names = Set.copyOf(names);
    }

    /** Reads every topic but these. */
    public static TopicFilter allBut(Set<TopicName> closed) {
        return new TopicFilter(false, closed);
    }

    /** Reads this topic alone. */
    public static TopicFilter only(TopicName topic) {
        return new TopicFilter(true, Set.of(topic));
    }

    /** Returns whether messages of this topic are read. */
    public boolean includes(TopicName topic) {
        return names.contains(topic) == only;
    }
}
