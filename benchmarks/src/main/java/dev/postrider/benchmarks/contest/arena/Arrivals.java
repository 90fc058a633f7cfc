package dev.postrider.benchmarks.contest.arena;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;

/** When each message has arrived for the first time, by {@link System#nanoTime}. Thread-safe. */
public final class Arrivals {

    private volatile AtomicLongArray times = new AtomicLongArray(0);
    private final AtomicInteger distinct = new AtomicInteger();
    private final AtomicInteger all = new AtomicInteger();
    private volatile long first;

    /** Forgets everything and expects the messages 0 to {@code messages - 1}; others are not counted. */
    public void expect(int messages) {
        times = new AtomicLongArray(messages);
        distinct.set(0);
        all.set(0);
        first = 0;
    }

    /** A message has arrived, and the broker, if there is one, has it. */
    public void arrived(int number) {
        long now = System.nanoTime();
        AtomicLongArray expected = times;
        if (number >= expected.length()) {
            return;
        }
        all.incrementAndGet();
        if (expected.compareAndSet(number, 0, now)) {
            if (first == 0) {
                first = now;
            }
            distinct.incrementAndGet();
        }
    }

    /** How many different messages have arrived. */
    public int distinct() {
        return distinct.get();
    }

    public int duplicates() {
        return all.get() - distinct.get();
    }

    public long firstAt() {
        return first;
    }

    /** Returns when a message arrived, or 0 if it has not. */
    public long at(int number) {
        return times.get(number);
    }

    /** Returns when each message arrived, 0 for those that have not. */
    public long[] times() {
        AtomicLongArray expected = times;
        return IntStream.range(0, expected.length()).mapToLong(expected::get).toArray();
    }
}
