package dev.postrider.benchmarks.contest.arena;

import java.lang.management.ManagementFactory;
import java.time.Duration;

/**
 * How long the compiler of a JVM has worked up to a moment. While it has much to do, a process is slower than it will
 * be, and on two cores the compiler takes one from whoever is measured.
 *
 * @param nanos the moment
 * @param compiled how long it has worked, all of its threads together, by the clock: also while it waited for a core
 */
public record CompilerTime(long nanos, Duration compiled) {

    /** Looks at the compiler of this process. */
    public static CompilerTime now() {
        long millis = ManagementFactory.getCompilationMXBean().getTotalCompilationTime();
        return new CompilerTime(System.nanoTime(), Duration.ofMillis(millis));
    }

    /** Returns how long it has worked since. */
    public Duration since(CompilerTime earlier) {
        return compiled.minus(earlier.compiled);
    }

    /** Returns the part of the time since then in which it worked: 1 if one thread of it did all the time. */
    public double shareSince(CompilerTime earlier) {
        return since(earlier).toNanos() / (double) Math.max(1, nanos - earlier.nanos);
    }
}
