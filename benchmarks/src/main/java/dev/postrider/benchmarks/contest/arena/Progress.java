package dev.postrider.benchmarks.contest.arena;

/** Tells on standard error what is going on. */
public final class Progress {

    private static final long START = System.nanoTime();

    private Progress() {}

    public static void say(String what) {
        long seconds = (System.nanoTime() - START) / 1_000_000_000L;
        System.err.printf("%3d:%02d %s%n", seconds / 60, seconds % 60, what);
    }
}
