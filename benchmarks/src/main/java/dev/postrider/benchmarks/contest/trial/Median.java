package dev.postrider.benchmarks.contest.trial;

import java.util.Arrays;

/** The value in the middle. */
final class Median {

    private Median() {}

    static double of(double[] values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("there is no median of nothing");
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }
}
