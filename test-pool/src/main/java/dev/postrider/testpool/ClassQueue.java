package dev.postrider.testpool;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * The test classes that wait for a worker, the longest first, so that no long class is left for the end. Thread-safe.
 */
final class ClassQueue {

    // A further JVM with its own servers costs about as much as these seconds of tests.
    private static final int WORTH_A_WORKER = 15;

    private final Map<TestModule, PriorityQueue<Entry>> waiting = new LinkedHashMap<>();
    private final Map<TestModule, Integer> workers = new HashMap<>();

    // One round after the other: many copies of the longest class at the same time would only hold up each other.
    private record Entry(String name, int round, int seconds) implements Comparable<Entry> {

        private static final Comparator<Entry> ORDER = Comparator.comparingInt(Entry::round)
                .thenComparing(Comparator.comparingInt(Entry::seconds).reversed())
                .thenComparing(Entry::name);

        @Override
        public int compareTo(Entry other) {
            return ORDER.compare(this, other);
        }
    }

    ClassQueue(Options options, ClassSeconds seconds) {
        for (TestModule module : options.modules()) {
            PriorityQueue<Entry> queue = new PriorityQueue<>();
            for (int i = 0; i < options.rounds(); i++) {
                int round = i;
                module.testClasses(options.classes())
                        .forEach(name -> queue.add(new Entry(name, round, seconds.of(name))));
            }
            waiting.put(module, queue);
        }
    }

    synchronized int size() {
        return waiting.values().stream().mapToInt(PriorityQueue::size).sum();
    }

    /** Picks the module in which one more worker helps most, and counts that worker in until {@link #left}. */
    synchronized Optional<TestModule> join() {
        Optional<TestModule> module = waiting.keySet().stream()
                .filter(this::worthAWorker)
                .max(Comparator.comparingDouble(this::secondsForEachWorker));
        module.ifPresent(chosen -> workers.merge(chosen, 1, Integer::sum));
        return module;
    }

    synchronized void left(TestModule module) {
        workers.merge(module, -1, Integer::sum);
    }

    synchronized Optional<String> next(TestModule module) {
        return Optional.ofNullable(queue(module).poll()).map(Entry::name);
    }

    private boolean worthAWorker(TestModule module) {
        return !queue(module).isEmpty() && (workersOf(module) == 0 || secondsForEachWorker(module) >= WORTH_A_WORKER);
    }

    private double secondsForEachWorker(TestModule module) {
        int total = queue(module).stream().mapToInt(Entry::seconds).sum();
        return (double) total / (workersOf(module) + 1);
    }

    private int workersOf(TestModule module) {
        return workers.getOrDefault(module, 0);
    }

    private PriorityQueue<Entry> queue(TestModule module) {
        return waiting.getOrDefault(module, new PriorityQueue<>());
    }
}
