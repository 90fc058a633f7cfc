package dev.postrider.benchmarks.contest.arena;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Waits for a condition without burning the processor the contenders need. */
public final class Patience {

    private static final Duration STEP = Duration.ofMillis(1);

    private Patience() {}

    /** Returns whether the condition came true in time. */
    public static boolean await(Duration limit, Condition condition) throws Exception {
        return await(limit, STEP, condition);
    }

    /** Looks once in each step, where looking is dear, and returns whether the condition came true in time. */
    public static boolean await(Duration limit, Duration step, Condition condition) throws Exception {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.holds()) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            LockSupport.parkNanos(step.toNanos());
        }
        return true;
    }

    /** Something that becomes true. */
    @FunctionalInterface
    public interface Condition {

        boolean holds() throws Exception;
    }
}
