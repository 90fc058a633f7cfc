package dev.postrider.benchmarks.contest.trial;

import dev.postrider.benchmarks.contest.arena.Arena;
import dev.postrider.benchmarks.contest.arena.Arrivals;
import dev.postrider.benchmarks.contest.arena.Cargo;
import dev.postrider.benchmarks.contest.arena.Contender;
import dev.postrider.benchmarks.contest.arena.Filling;
import dev.postrider.benchmarks.contest.arena.Parameters;
import dev.postrider.benchmarks.contest.arena.Patience;
import dev.postrider.benchmarks.contest.arena.ServerProcess;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** How soon a contender delivers after its start, and what it costs while there is nothing to deliver. */
final class FootprintTrial implements Trial {

    private static final Cargo CARGO = new Cargo(1);
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final double MEGABYTE = 1024 * 1024;

    @Override
    public void run(Contender contender, Arena arena, Parameters parameters, Figures figures) throws Exception {
        Duration idle = Duration.ofSeconds(parameters.number("seconds", 5));
        Arrivals arrivals = arena.sink().arrivals();
        arrivals.expect(1);
        Filling.fill(contender, CARGO, 1);
        Set<Long> before = threads();
        long start = System.nanoTime();
        contender.start();
        if (!Patience.await(LIMIT, () -> arrivals.distinct() == 1) || !Patience.await(LIMIT, contender::settled)) {
            throw new IllegalStateException("The message was not delivered within " + LIMIT);
        }
        figures.put("first_ms", (arrivals.at(0) - start) / 1e6);

        // The compiler is still busy with what the start has left.
        Thread.sleep(idle.toMillis());
        idle(arena, idle, figures);
        figures.put("threads", added(before));
        figures.put("heap_mb", heapMegabytes());
    }

    private static void idle(Arena arena, Duration idle, Figures figures) throws Exception {
        ServerProcess server = ServerProcess.of(arena);
        double serverBefore = server.cpuSeconds();
        double processBefore = DatabaseCost.processSeconds();
        double threadsBefore = threadSeconds();
        long begin = System.nanoTime();
        Thread.sleep(idle.toMillis());
        double seconds = (System.nanoTime() - begin) / 1e9;
        figures.put("idle_cpu_ms_per_s", (DatabaseCost.processSeconds() - processBefore) * 1e3 / seconds);
        figures.put("idle_threads_cpu_ms_per_s", (threadSeconds() - threadsBefore) * 1e3 / seconds);
        figures.put("idle_server_cpu_ms_per_s", (server.cpuSeconds() - serverBefore) * 1e3 / seconds);
    }

    // The compiler goes on for many minutes with code that runs a few times per second; this is without it.
    private static double threadSeconds() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return Arrays.stream(threads.getAllThreadIds())
                        .map(threads::getThreadCpuTime)
                        .filter(nanos -> nanos > 0)
                        .sum()
                / 1e9;
    }

    private static Set<Long> threads() {
        return Arrays.stream(ManagementFactory.getThreadMXBean().getAllThreadIds())
                .boxed()
                .collect(Collectors.toSet());
    }

    // Not the difference of two counts: a pool's thread that has filled it ends meanwhile.
    private static int added(Set<Long> before) {
        Set<Long> added = threads();
        added.removeAll(before);
        return added.size();
    }

    // Twice, because what the first collection enqueues for cleaning is free only after the second. As the collection
    // left it, because from then on every thread takes megabytes at once.
    private static double heapMegabytes() {
        System.gc();
        System.gc();
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                        .filter(pool -> pool.getType() == MemoryType.HEAP)
                        .map(MemoryPoolMXBean::getCollectionUsage)
                        .filter(Objects::nonNull)
                        .mapToLong(MemoryUsage::getUsed)
                        .sum()
                / MEGABYTE;
    }
}
