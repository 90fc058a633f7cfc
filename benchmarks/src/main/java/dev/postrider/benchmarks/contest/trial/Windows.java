package dev.postrider.benchmarks.contest.trial;

import java.util.stream.IntStream;

/** A run at a steady rate, cut into windows of equally many messages; what is left at the end belongs to none. */
final class Windows {

    private final long[] commits;
    private final long[] arrivals;
    private final int size;

    Windows(long[] commits, long[] arrivals, int size) {
        if (size < 1 || size > commits.length) {
            throw new IllegalArgumentException(
                    "a window of %d messages does not fit %d".formatted(size, commits.length));
        }
        this.commits = commits;
        this.arrivals = arrivals;
        this.size = size;
    }

    int count() {
        return commits.length / size;
    }

    Latencies all() {
        return latencies(0, commits.length);
    }

    /** Returns the 99th percentile of each window in milliseconds. */
    double[] p99() {
        return IntStream.range(0, count())
                .mapToDouble(
                        window -> latencies(window * size, (window + 1) * size).percentile(0.99))
                .toArray();
    }

    /** Returns how many messages arrived per second in each window, counted from the end of the one before. */
    double[] rates() {
        double[] rates = new double[count()];
        long begin = commits[0];
        for (int window = 0; window < rates.length; window++) {
            long end = IntStream.range(window * size, (window + 1) * size)
                    .mapToLong(number -> arrivals[number])
                    .max()
                    .orElseThrow();
            rates[window] = size / ((end - begin) / 1e9);
            begin = end;
        }
        return rates;
    }

    private Latencies latencies(int from, int to) {
        Latencies latencies = new Latencies(to - from);
        for (int number = from; number < to; number++) {
            latencies.add(arrivals[number] - commits[number]);
        }
        return latencies;
    }
}
