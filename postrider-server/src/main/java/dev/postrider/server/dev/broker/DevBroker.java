package dev.postrider.server.dev.broker;

import dev.postrider.OutboxMessage;
import dev.postrider.inbox.ReceivedMessage;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.PublishResult;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A broker inside this process. A topic keeps a bounded number of messages and gives them to each group of consumers in
 * the order in which they came. A person can break it, restore it and make it slow. Thread-safe.
 *
 * <p>It behaves as a real one does: a message whose ack was lost is in its topic twice after the next attempt, and a
 * topic whose consumers are too far behind takes no more messages.
 */
public final class DevBroker {

    /** The longest time that an ack may be held back. */
    public static final Duration LONGEST_LATENCY = Duration.ofSeconds(10);

    private static final int MOST_TOPICS = 100;
    private static final int MOST_BYTES = 65_536;
    private static final int FLAKY_ATTEMPTS = 2;
    private static final Duration FULL_PAUSE = Duration.ofSeconds(1);
    private static final String BROKEN = "The broker is broken: restore it in the dev tools";

    private final Map<String, DevTopic> topics = new LinkedHashMap<>();
    private final Map<String, Duration> slow = new LinkedHashMap<>();
    private final Map<String, Integer> flaky = new LinkedHashMap<>();
    private Duration latency = Duration.ofMillis(2);
    private boolean broken;
    private long accepted;

    /**
     * How the broker is.
     *
     * @param broken whether it refuses everything
     * @param latency how long an ack takes, in topics that have no latency of their own
     * @param accepted how many messages it has taken since it was started
     */
    public record State(boolean broken, Duration latency, long accepted) {}

    /** Holds the acks of this topic back for longer than those of others. */
    public synchronized DevBroker slow(String topic, Duration value) {
        slow.put(topic, checked(value));
        return this;
    }

    /** Refuses the first two attempts of one message in so many, as a throttling broker does. */
    public synchronized DevBroker flaky(String topic, int oneIn) {
        if (oneIn < 1) {
            throw new IllegalArgumentException("oneIn must be at least 1 but was " + oneIn);
        }
        flaky.put(topic, oneIn);
        return this;
    }

    /** Takes and gives no more messages until it is restored; acks under way are lost. */
    public synchronized void breakDown() {
        broken = true;
        notifyAll();
    }

    /** Works again, with everything it had taken. */
    public synchronized void restore() {
        broken = false;
        notifyAll();
    }

    /** Sets how long an ack takes, from zero to {@link #LONGEST_LATENCY}. */
    public synchronized void latency(Duration value) {
        latency = checked(value);
    }

    /** Returns how the broker is. */
    public synchronized State state() {
        return new State(broken, latency, accepted);
    }

    /** Returns a publisher to this broker; close it after the relays that use it. */
    public MessagePublisher publisher() {
        return new DevPublisher(this);
    }

    /** Returns why the broker would not take messages now; empty if it would. */
    synchronized Optional<String> outage() {
        return broken ? Optional.of(BROKEN) : Optional.empty();
    }

    /** Returns how long the ack of a message takes. */
    synchronized Duration latencyOf(String topic) {
        Duration own = slow.getOrDefault(topic, Duration.ZERO);
        return own.compareTo(latency) > 0 ? own : latency;
    }

    /** Takes the message, or says why not. */
    synchronized PublishResult accept(ClaimedMessage claimed) {
        OutboxMessage message = claimed.message();
        if (broken) {
            return PublishResult.unavailable(BROKEN);
        }
        if (message.payloadSize() > MOST_BYTES) {
            return PublishResult.rejected("The payload has more than %d bytes".formatted(MOST_BYTES));
        }
        if (!JsonShape.fits(message)) {
            return PublishResult.rejected("The payload is no complete JSON object");
        }
        if (isThrottled(claimed)) {
            return PublishResult.failed("Throttled: the topic takes this message later");
        }
        if (!topics.containsKey(message.topic()) && topics.size() >= MOST_TOPICS) {
            return PublishResult.unavailable("There are %d topics already".formatted(MOST_TOPICS));
        }
        if (!topic(message.topic()).append(claimed)) {
            return PublishResult.unavailable("The topic is full: a consumer is too far behind", FULL_PAUSE);
        }
        accepted++;
        notifyAll();
        return PublishResult.acked();
    }

    private boolean isThrottled(ClaimedMessage claimed) {
        int oneIn = flaky.getOrDefault(claimed.message().topic(), 0);
        return oneIn > 0
                && claimed.attempt() <= FLAKY_ATTEMPTS
                && Math.floorMod(claimed.message().id().hashCode(), oneIn) == 0;
    }

    /** Makes the group known, so that nothing is dropped that it has not acknowledged. */
    synchronized void join(String group, Collection<String> names) {
        names.forEach(name -> topic(name).join(group));
    }

    /**
     * Returns the next messages of a group in a topic that has any, without moving its position. Waits if there are
     * none, or while the broker is broken.
     */
    synchronized List<ReceivedMessage> receive(String group, Collection<String> names, int most, Duration atMost)
            throws InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        List<ReceivedMessage> found = next(group, names, most);
        for (long left = atMost.toNanos(); found.isEmpty() && left > 0; left = deadline - System.nanoTime()) {
            wait(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
            found = next(group, names, most);
        }
        return found;
    }

    private List<ReceivedMessage> next(String group, Collection<String> names, int most) {
        if (broken) {
            return List.of();
        }
        return names.stream()
                .map(name -> topic(name).next(group, most))
                .filter(messages -> !messages.isEmpty())
                .findFirst()
                .orElse(List.of());
    }

    /**
     * Moves the position of the group behind its next messages.
     *
     * @return false if the broker is broken; the messages come again
     */
    synchronized boolean acknowledge(String group, String name, int messages) {
        if (broken) {
            return false;
        }
        topic(name).acknowledge(group, messages);
        return true;
    }

    /** Returns how many messages the group has not acknowledged. */
    synchronized long lag(String group, Collection<String> names) {
        return names.stream().mapToLong(name -> topic(name).lag(group)).sum();
    }

    private DevTopic topic(String name) {
        return topics.computeIfAbsent(name, DevTopic::new);
    }

    private static Duration checked(Duration value) {
        if (value.isNegative() || value.compareTo(LONGEST_LATENCY) > 0) {
            throw new IllegalArgumentException(
                    "latency must be between zero and %s but was %s".formatted(LONGEST_LATENCY, value));
        }
        return value;
    }
}
