package dev.postrider.server.dev.broker;

import dev.postrider.OutboxMessage;
import dev.postrider.inbox.ReceivedMessage;
import dev.postrider.publish.MessageHeaders;
import dev.postrider.spi.ClaimedMessage;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The messages of one topic and how far each group of consumers has come. Guarded by its broker. */
final class DevTopic {

    private static final int MOST_MESSAGES = 5_000;
    private static final long MOST_BYTES = 4L * 1024 * 1024;

    private final String name;
    private final Deque<Retained> retained = new ArrayDeque<>();
    private final Map<String, Long> positions = new HashMap<>();
    private long nextOffset;
    private long bytes;

    private record Retained(ReceivedMessage message, int size) {}

    DevTopic(String name) {
        this.name = name;
    }

    /** Returns false if the topic is full of messages that a group has not acknowledged. */
    boolean append(ClaimedMessage claimed) {
        int size = claimed.message().payloadSize();
        while (isFull(size)) {
            if (firstOffset() >= slowest()) {
                return false;
            }
            bytes -= retained.removeFirst().size();
        }
        retained.addLast(new Retained(received(claimed, nextOffset), size));
        bytes += size;
        nextOffset++;
        return true;
    }

    private boolean isFull(int more) {
        return retained.size() >= MOST_MESSAGES || (!retained.isEmpty() && bytes + more > MOST_BYTES);
    }

    private long firstOffset() {
        return nextOffset - retained.size();
    }

    private long slowest() {
        return positions.values().stream().mapToLong(each -> each).min().orElse(nextOffset);
    }

    // A new group begins with what is still there, as a reader of a log does.
    void join(String group) {
        positions.putIfAbsent(group, firstOffset());
    }

    List<ReceivedMessage> next(String group, int most) {
        return retained.stream()
                .skip(position(group) - firstOffset())
                .limit(most)
                .map(Retained::message)
                .toList();
    }

    void acknowledge(String group, int messages) {
        positions.put(group, Math.min(nextOffset, position(group) + messages));
    }

    long lag(String group) {
        return nextOffset - position(group);
    }

    private long position(String group) {
        Long position = positions.get(group);
        if (position == null) {
            throw new IllegalStateException("The group %s has not joined topic %s".formatted(group, name));
        }
        return position;
    }

    private ReceivedMessage received(ClaimedMessage claimed, long offset) {
        OutboxMessage message = claimed.message();
        return ReceivedMessage.from(name)
                .id(message.id().toString())
                .key(message.key().orElse(null))
                .sequence(claimed.seq())
                .type(message.type())
                .source(name + "@" + offset)
                .headers(message.headers())
                .headers(MessageHeaders.of(claimed, name))
                .header(MessageHeaders.CONTENT_TYPE, message.contentType())
                .payload(message.payload())
                .build();
    }
}
