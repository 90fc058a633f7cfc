package dev.postrider.inbox.consumer;

import dev.postrider.retry.RetryPolicy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * What a consumer has in hand, in lanes: messages of a lane are handled in their order, and a failure stops its lane
 * for a while and no other. Lanes take turns. For one thread.
 *
 * @param <T> a message in the words of the broker's client; each is itself only
 */
public final class ConsumerLanes<T> {

    private final Map<Object, Lane<T>> lanes = new LinkedHashMap<>();
    private final Function<T, Object> laneOf;
    private final RetryPolicy delays;
    private final LongSupplier nanoTime;

    private static final class Lane<T> {
        private final Deque<T> messages = new ArrayDeque<>();
        private int failures;
        private long retryAt;

        private long waits(long now) {
            return failures == 0 ? 0 : Math.max(0, retryAt - now);
        }
    }

    ConsumerLanes(Function<T, Object> laneOf, RetryPolicy delays, LongSupplier nanoTime) {
        this.laneOf = laneOf;
        this.delays = delays;
        this.nanoTime = nanoTime;
    }

    /** Puts a message at the end of its lane. */
    public void add(T message) {
        lanes.computeIfAbsent(laneOf.apply(message), key -> new Lane<>())
                .messages
                .add(message);
    }

    /** Returns the oldest message of a lane. */
    public Optional<T> first(Object lane) {
        return Optional.ofNullable(lanes.get(lane)).map(each -> each.messages.peekFirst());
    }

    /** Returns the lanes that have messages. */
    public Set<Object> occupied() {
        return Set.copyOf(lanes.keySet());
    }

    /** Returns every message, lane by lane. */
    public List<T> all() {
        return lanes.values().stream().flatMap(lane -> lane.messages.stream()).toList();
    }

    /** Forgets these lanes with everything in them. */
    public void drop(Collection<?> forgotten) {
        lanes.keySet().removeAll(forgotten);
    }

    /** Takes a message out, wherever it stands. If it was the first, what its lane waited for is over. */
    public void remove(T message) {
        Object key = laneOf.apply(message);
        Lane<T> lane = lanes.get(key);
        if (lane == null) {
            return;
        }
        if (lane.messages.peekFirst() == message) {
            lane.failures = 0;
        }
        lane.messages.remove(message);
        if (lane.messages.isEmpty()) {
            lanes.remove(key);
        }
    }

    /** Returns up to {@code limit} messages that may be handled now, and lets the other lanes be next. */
    List<T> next(int limit) {
        long now = nanoTime.getAsLong();
        List<T> chosen = new ArrayList<>();
        Map<Object, Lane<T>> served = new LinkedHashMap<>();
        Iterator<Map.Entry<Object, Lane<T>>> all = lanes.entrySet().iterator();
        while (all.hasNext() && chosen.size() < limit) {
            Map.Entry<Object, Lane<T>> entry = all.next();
            if (entry.getValue().waits(now) == 0) {
                entry.getValue().messages.stream().limit(limit - chosen.size()).forEach(chosen::add);
                served.put(entry.getKey(), entry.getValue());
                all.remove();
            }
        }
        lanes.putAll(served);
        return chosen;
    }

    /** Lets the lane of a message that failed wait, and returns how often it has failed in a row. */
    int failed(T message) {
        Lane<T> lane = lanes.get(laneOf.apply(message));
        if (lane == null) {
            return 1;
        }
        lane.failures++;
        lane.retryAt = nanoTime.getAsLong()
                + delays.delayAfter(lane.failures, ThreadLocalRandom.current()).toNanos();
        return lane.failures;
    }

    /** Returns how long nothing can be handled, at most {@code most}. */
    Duration idleFor(Duration most) {
        long now = nanoTime.getAsLong();
        return lanes.values().stream()
                .map(lane -> Duration.ofNanos(lane.waits(now)))
                .reduce(most, (one, other) -> one.compareTo(other) <= 0 ? one : other);
    }

    /** Returns the messages that hold up their lanes. */
    List<T> waiting() {
        return lanes.values().stream()
                .filter(lane -> lane.failures > 0)
                .map(lane -> lane.messages.getFirst())
                .toList();
    }

    int size() {
        return lanes.values().stream().mapToInt(lane -> lane.messages.size()).sum();
    }
}
