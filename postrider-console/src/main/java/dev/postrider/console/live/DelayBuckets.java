package dev.postrider.console.live;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Counts delays in buckets that grow by a fifth, from a millisecond to some hours. Not thread-safe. */
final class DelayBuckets {

    private static final double GROWTH = 1.2;
    private static final int BUCKETS = 100;

    private final long[] counts = new long[BUCKETS];
    private long total;

    void add(long millis) {
        counts[bucket(millis)]++;
        total++;
    }

    void addAll(DelayBuckets other) {
        for (int i = 0; i < BUCKETS; i++) {
            counts[i] += other.counts[i];
        }
        total += other.total;
    }

    void clear() {
        Arrays.fill(counts, 0);
        total = 0;
    }

    /** Returns a delay that this part of all did not exceed, at most a fifth too high; null if there is none. */
    @Nullable Long percentile(double part) {
        long rank = (long) Math.ceil(part * total);
        long seen = 0;
        for (int i = 0; i < BUCKETS && total > 0; i++) {
            seen += counts[i];
            if (seen >= rank) {
                return upper(i);
            }
        }
        return null;
    }

    private static int bucket(long millis) {
        if (millis <= 1) {
            return 0;
        }
        return Math.min(BUCKETS - 1, (int) Math.ceil(Math.log((double) millis) / Math.log(GROWTH)));
    }

    private static long upper(int bucket) {
        return Math.round(Math.pow(GROWTH, bucket));
    }
}
