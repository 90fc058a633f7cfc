package dev.postrider.admin;

import java.util.List;

/**
 * The topics that were found, with what was counted of each. Each of the three counts looks at a bounded number of
 * rows, whatever the size of the table; the count of pending messages at the oldest that may be pending and at the
 * latest. Where it has not seen all, every figure of it means "at least", and topics may be missing.
 *
 * @param topics the topics by name, up to 1,000; also those of the latest messages of which nothing was counted
 * @param pendingAtLeast whether there are more rows that may be pending than were looked at
 * @param waitingAtLeast whether more rows wait than were looked at
 * @param deadAtLeast whether there are more dead messages than were looked at
 */
public record TopicStats(
        List<TopicFigures> topics, boolean pendingAtLeast, boolean waitingAtLeast, boolean deadAtLeast) {

    /** Copies the topics. */
    public TopicStats {
        topics = List.copyOf(topics);
    }
}
