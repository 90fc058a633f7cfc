package dev.postrider.benchmarks.contest.trial;

import java.util.Arrays;

/** Times between commit and arrival. */
final class Latencies {

    private final long[] nanos;
    private int size;

    Latencies(int capacity) {
        this.nanos = new long[capacity];
    }

    /** A message that overtook the return of its own commit took no time. */
    void add(long latency) {
        nanos[size++] = Math.max(0, latency);
    }

    void report(Figures figures) {
        figures.put("p50_ms", percentile(0.50));
        figures.put("p99_ms", percentile(0.99));
        figures.put("max_ms", percentile(1));
        figures.put("messages", size);
    }

    double percentile(double share) {
        long[] sorted = Arrays.copyOf(nanos, size);
        Arrays.sort(sorted);
        return sorted[(int) Math.ceil(share * size) - 1] / 1e6;
    }
}
