package dev.postrider.testpool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs the test classes of many modules in a few JVMs. Each JVM serves one module at a time and takes one class after
 * the other, so classes share the servers that their JVM started.
 */
public final class TestPool {

    private static final Path SECONDS = Path.of("test-pool", "class-seconds.properties");

    private final Options options;
    private final ClassQueue queue;
    private final Report report;
    private final AtomicInteger jvms = new AtomicInteger();

    private TestPool(Options options) {
        this.options = options;
        this.queue = new ClassQueue(options, ClassSeconds.read(SECONDS));
        this.report = new Report(System.out, queue.size());
    }

    /** Exits with 1 if a test or a command failed and with 2 if the command line is wrong. */
    public static void main(String[] arguments) throws InterruptedException, IOException {
        Options options;
        try {
            options = Options.of(arguments);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.err.print(Options.USAGE);
            System.exit(2);
            return;
        }
        TestPool pool = new TestPool(options);
        if (pool.queue.size() == 0) {
            System.err.printf(
                    "No test class matches %s in %d modules%n",
                    options.classes(), options.modules().size());
            System.exit(2);
        }
        System.exit(pool.run() ? 0 : 1);
    }

    private boolean run() throws InterruptedException, IOException {
        Files.createDirectories(options.logFolder());
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<Future<?>> running = new ArrayList<>();
            options.commands().forEach((name, line) -> running.add(threads.submit(() -> run(new Command(name, line)))));
            for (int i = 0; i < options.workers(); i++) {
                running.add(threads.submit(this::work));
            }
            for (Future<?> each : running) {
                each.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("The pool could not run its jobs", e);
        } finally {
            threads.shutdownNow();
        }
        ClassSeconds.write(report.classes(), options.logFolder().resolve("class-seconds.properties"));
        return report.print();
    }

    private Boolean run(Command command) throws InterruptedException {
        report.ended(command.run(options.logFolder()));
        return true;
    }

    private Boolean work() {
        for (Optional<TestModule> module = queue.join(); module.isPresent(); module = queue.join()) {
            try {
                runClasses(module.get());
            } finally {
                queue.left(module.get());
            }
        }
        return true;
    }

    private void runClasses(TestModule module) {
        Path log = options.logFolder()
                .toAbsolutePath()
                .resolve("%s-%d.log".formatted(module.name(), jvms.incrementAndGet()));
        try (Worker worker = Worker.start(module, options.jvmOptions(), log)) {
            // A class that ended its JVM has failed; the next class gets a new one.
            while (!worker.lost()) {
                Optional<String> name = queue.next(module);
                if (name.isEmpty()) {
                    return;
                }
                report.ended(module, worker.run(name.get()));
            }
        }
    }
}
