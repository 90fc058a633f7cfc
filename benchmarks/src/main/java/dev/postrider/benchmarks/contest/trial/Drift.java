package dev.postrider.benchmarks.contest.trial;

import java.util.Arrays;

/** Whether the second half of a long run is flat. */
final class Drift {

    private static final int LEAST = 4;

    private Drift() {}

    /** Returns the median of the last quarter divided by the one of the third quarter: 1 if nothing changes. */
    static double of(double[] windows) {
        int count = windows.length;
        if (count < LEAST) {
            throw new IllegalArgumentException("%d windows are too few, %d are needed".formatted(count, LEAST));
        }
        int lastQuarter = count * 3 / 4;
        return Median.of(Arrays.copyOfRange(windows, lastQuarter, count))
                / Median.of(Arrays.copyOfRange(windows, count / 2, lastQuarter));
    }
}
