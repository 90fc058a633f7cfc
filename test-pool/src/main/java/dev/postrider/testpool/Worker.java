package dev.postrider.testpool;

import java.io.BufferedWriter;
import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A JVM that runs test classes of one module, one after the other. For one thread at a time. */
final class Worker implements AutoCloseable {

    /** Each test has a time-out of its own; this bound only ends a JVM that hangs outside a test. */
    private static final Duration CLASS_TIMEOUT = Duration.ofMinutes(15);

    private static final Duration EXIT_TIMEOUT = Duration.ofMinutes(1);

    private static final ScheduledExecutorService WATCH = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "test-pool-watch");
        thread.setDaemon(true);
        return thread;
    });

    private final Process process;
    private final Path log;
    private final BufferedWriter names;
    private final DataInputStream answers;
    private final Thread atExit;
    private boolean lost;

    private Worker(Process process, Path log) {
        this.process = process;
        this.log = log;
        this.names = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
        this.answers = new DataInputStream(process.getInputStream());
        // A worker would otherwise finish its class after the pool was stopped.
        this.atExit = new Thread(process::destroy);
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    static Worker start(TestModule module, List<String> jvmOptions, Path log) {
        return start(module.folder(), module.classPath() + File.pathSeparator + ownClassPath(), jvmOptions, log);
    }

    /** Starts a JVM in {@code folder}; its class path has to hold {@link WorkerMain}. */
    static Worker start(Path folder, String classPath, List<String> jvmOptions, Path log) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", classPath, WorkerMain.class.getName()));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
        try {
            return new Worker(builder.start(), log);
        } catch (IOException e) {
            throw new UncheckedIOException("Could not start a JVM for the tests in " + folder, e);
        }
    }

    // Absolute, because a worker has another working directory.
    private static String ownClassPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Whether the JVM ended before a class did. */
    boolean lost() {
        return lost;
    }

    /** Runs one class. If the JVM ends or hangs, the class has failed and this worker is of no further use. */
    ClassResult run(String name) {
        long started = System.nanoTime();
        ScheduledFuture<?> hang = WATCH.schedule(this::kill, CLASS_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        try {
            names.write(name);
            names.newLine();
            names.flush();
            return ClassResult.readFrom(answers);
        } catch (IOException e) {
            lost = true;
            kill();
            Duration time = Duration.ofNanos(System.nanoTime() - started);
            return ClassResult.lost(name, time, "The JVM ended before the class did. Its log: " + log);
        } finally {
            hang.cancel(false);
        }
    }

    private void kill() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    /** Ends the JVM; its exit hooks end the servers it started. */
    @Override
    public void close() {
        try (names) {
            names.flush();
        } catch (IOException e) {
            // It has ended already.
            kill();
        }
        try {
            if (!process.waitFor(EXIT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                kill();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            kill();
        }
        Runtime.getRuntime().removeShutdownHook(atExit);
    }
}
