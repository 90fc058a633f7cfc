package dev.postrider.console.live;

import dev.postrider.relay.RelayListener;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.TopicName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Hears the relays of this process, so that the console knows the delays of deliveries and the figures of topics. Give
 * one to all relays of a source with {@code RelayBuilder.listener}, and to the source. Thread-safe.
 */
public final class RelayFigures implements RelayListener {

    private static final int MOST_TOPICS = 1_000;
    private static final int TIME_ORDERED = 7;

    private final List<RelayListener> followers = new CopyOnWriteArrayList<>();
    private final Map<TopicName, SettledCounts> topics = new HashMap<>();
    private final DelayBuckets delays = new DelayBuckets();
    private boolean heard;

    /** Has heard nothing yet. */
    public RelayFigures() {}

    /** Lets another listener hear the same relays. */
    public void follow(RelayListener follower) {
        followers.add(Objects.requireNonNull(follower, "follower"));
    }

    @Override
    public void settled(List<Settlement> outcomes) {
        count(outcomes, System.currentTimeMillis());
        followers.forEach(each -> each.settled(outcomes));
    }

    @Override
    public void integrityFailed(ClaimedMessage defective) {
        followers.forEach(each -> each.integrityFailed(defective));
    }

    @Override
    public void claimsRecovered(int messages) {
        followers.forEach(each -> each.claimsRecovered(messages));
    }

    synchronized void count(List<Settlement> outcomes, long nowMillis) {
        heard = true;
        for (Settlement outcome : outcomes) {
            switch (outcome.outcome()) {
                case DELIVERED -> {
                    add(outcome, new SettledCounts(1, 0));
                    delay(outcome.claimed(), nowMillis);
                }
                case RETRY, DEAD -> add(outcome, new SettledCounts(0, 1));
                case RELEASED, BEHIND -> {}
            }
        }
    }

    private void add(Settlement outcome, SettledCounts more) {
        TopicName topic = TopicName.of(outcome.claimed().message());
        if (topics.size() < MOST_TOPICS || topics.containsKey(topic)) {
            topics.merge(topic, more, SettledCounts::plus);
        }
    }

    // A time-ordered id tells when it was made, a little before the commit. A message that waited by intent says
    // nothing about the relay.
    private void delay(ClaimedMessage claimed, long nowMillis) {
        UUID id = claimed.message().id();
        if (claimed.attempt() == 1 && claimed.dueAt() == null && id.version() == TIME_ORDERED) {
            delays.add(Math.max(0, nowMillis - (id.getMostSignificantBits() >>> 16)));
        }
    }

    /** Returns whether a relay of this process has settled anything. */
    synchronized boolean heard() {
        return heard;
    }

    /** Returns the totals of each topic since the start. */
    synchronized Map<TopicName, SettledCounts> topics() {
        return Map.copyOf(topics);
    }

    /** Moves the delays since the last time into {@code target}. */
    synchronized void drainDelays(DelayBuckets target) {
        target.addAll(delays);
        delays.clear();
    }
}
