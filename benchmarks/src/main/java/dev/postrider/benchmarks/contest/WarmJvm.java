package dev.postrider.benchmarks.contest;

import dev.postrider.services.ChildJvm;

/**
 * The JVM that everybody runs in. It compiles after a fifth of the calls it would wait for by default: what runs once
 * for a batch is called a few hundred times in a lap, and thousands of calls before it is compiled would make any
 * warm-up that one has the patience for too short. What is measured is how fast a process becomes that stays, not how
 * long it takes to.
 */
final class WarmJvm {

    private WarmJvm() {}

    /** Begins a process with all of its heap from the start. */
    static ChildJvm.Builder of(Class<?> main, String heap) {
        return ChildJvm.of(main)
                .heap(heap)
                .jvmOptions(
                        "-Xms" + heap,
                        "-XX:+UseParallelGC",
                        "-XX:CompileThresholdScaling=0.2",
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
    }
}
