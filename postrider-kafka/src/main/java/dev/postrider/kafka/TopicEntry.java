package dev.postrider.kafka;

import dev.postrider.spi.PublishResult;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is known about one topic, and the messages that wait until more is. Guarded by itself. */
final class TopicEntry {

    final String name;
    final List<Pending> waiting = new ArrayList<>();

    @Nullable Topic topic;

    @Nullable PublishResult obstacle;

    int partitions;
    int epoch;
    long checked;
    boolean looking;

    /** When messages last came for it; kept by the table. */
    long used;

    /** Whether the table has given it up, so that it takes no more messages. */
    boolean forgotten;

    TopicEntry(String name) {
        this.name = name;
    }

    /** Says whether nothing waits for it and nothing is under way, so that forgetting it loses nothing. */
    boolean isIdle() {
        return waiting.isEmpty() && !looking;
    }
}
