package dev.postrider.kafka;

import dev.postrider.spi.PublishResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is known about topics, and the messages that wait until it is. A topic that is missing or forbidden keeps only
 * its own messages waiting, and the caller never. Thread-safe.
 */
final class TopicDirectory {

    private static final Logger log = LoggerFactory.getLogger(TopicDirectory.class);

    private static final long FRESH = Duration.ofMinutes(1).toNanos();
    // Shorter than the time after which a producer forgets a topic and would block on the next send.
    private static final long USABLE = Duration.ofMinutes(4).toNanos();
    private static final long OBSTACLE = Duration.ofMillis(500).toNanos();

    private static final PublishResult TOO_MANY = PublishResult.unavailable(
            "Messages wait for the answer about %d topics already: the publisher's topic template makes too many names"
                    .formatted(TopicTable.MOST));

    private final TopicTable topics = new TopicTable();
    private final Function<String, CompletionStage<Topic>> finder;
    private final BiFunction<Topic, List<Pending>, List<Pending>> delivery;
    private final Runnable delivered;
    private final LongSupplier nanoTime;
    private final AtomicInteger epoch = new AtomicInteger();

    /**
     * A directory that hands messages to {@code delivery}, which returns those it could not take because the topic has
     * to be found anew, and then calls {@code delivered} if they had to wait.
     */
    TopicDirectory(
            Function<String, CompletionStage<Topic>> finder,
            BiFunction<Topic, List<Pending>, List<Pending>> delivery,
            Runnable delivered,
            LongSupplier nanoTime) {
        this.finder = finder;
        this.delivery = delivery;
        this.delivered = delivered;
        this.nanoTime = nanoTime;
    }

    /** Delivers messages to one topic now if it is known, or else as soon as it is. */
    void route(String name, List<Pending> messages) {
        // An entry that is forgotten between the two steps is never found again, so the next round makes a new one.
        for (TopicEntry entry = topics.entry(name); ; entry = topics.entry(name)) {
            if (entry == null) {
                messages.forEach(message -> message.answer(TOO_MANY));
                return;
            }
            if (route(entry, messages)) {
                return;
            }
        }
    }

    private boolean route(TopicEntry entry, List<Pending> messages) {
        synchronized (entry) {
            if (entry.forgotten) {
                return false;
            }
            long now = nanoTime.getAsLong();
            long age = now - entry.checked;
            entry.used = now;
            Topic topic = entry.topic;
            PublishResult obstacle = entry.obstacle;
            if (topic != null && isUsable(entry)) {
                entry.waiting.addAll(delivery.apply(topic, messages));
                if (age > FRESH || !entry.waiting.isEmpty()) {
                    look(entry);
                }
            } else if (obstacle != null && age < OBSTACLE) {
                messages.forEach(message -> message.answer(obstacle));
            } else {
                entry.waiting.addAll(messages);
                look(entry);
            }
            return true;
        }
    }

    private boolean isUsable(TopicEntry entry) {
        return entry.topic != null
                && nanoTime.getAsLong() - entry.checked < USABLE
                && entry.epoch == epoch.get()
                && entry.waiting.isEmpty();
    }

    /** How many topics are known. */
    int size() {
        return topics.size();
    }

    /** All topics have to be found anew before the next message. */
    void forgetAll() {
        epoch.incrementAndGet();
    }

    private void look(TopicEntry entry) {
        if (entry.looking) {
            return;
        }
        entry.looking = true;
        int begun = epoch.get();
        finder.apply(entry.name).whenComplete((topic, error) -> {
            found(entry, topic, error, begun);
            delivered.run();
        });
    }

    private void found(TopicEntry entry, @Nullable Topic topic, @Nullable Throwable error, int begun) {
        synchronized (entry) {
            entry.looking = false;
            entry.waiting.removeIf(Pending::answered);
            if (begun != epoch.get()) {
                if (!entry.waiting.isEmpty()) {
                    look(entry);
                }
                return;
            }
            // What is known holds until it is too old: a broker that is slow to tell may still take messages.
            if (KafkaErrors.isPassing(error) && isUsable(entry)) {
                return;
            }
            entry.checked = nanoTime.getAsLong();
            entry.epoch = begun;
            entry.topic = topic;
            entry.obstacle = null;
            if (topic == null) {
                refuse(entry, KafkaErrors.result(error == null ? new IllegalStateException() : error, entry.name));
            } else {
                warnOfNewPartitions(entry, topic);
                deliver(entry, topic);
            }
        }
    }

    // Not finding out says nothing about a message, so it is never to blame unless the topic's name is impossible.
    private static void refuse(TopicEntry entry, PublishResult result) {
        PublishResult obstacle = result.kind() == PublishResult.Kind.FAILED
                ? PublishResult.unavailable(String.valueOf(result.error()))
                : result;
        entry.obstacle = obstacle;
        entry.waiting.forEach(message -> message.answer(obstacle));
        entry.waiting.clear();
    }

    private void deliver(TopicEntry entry, Topic topic) {
        List<Pending> ready = List.copyOf(entry.waiting);
        entry.waiting.clear();
        entry.waiting.addAll(delivery.apply(topic, ready));
        if (!entry.waiting.isEmpty()) {
            look(entry);
        }
    }

    private static void warnOfNewPartitions(TopicEntry entry, Topic topic) {
        if (entry.partitions != 0 && entry.partitions != topic.partitions()) {
            log.warn(
                    "Topic {} now has {} partitions instead of {}: messages of one key may go to another partition"
                            + " than before, where a consumer can overtake those still unread",
                    topic.name(),
                    topic.partitions(),
                    entry.partitions);
        }
        entry.partitions = topic.partitions();
    }
}
